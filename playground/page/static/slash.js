// @ts-check
// Slash commands as data: possible input, the meaning of a typed line, and its errors.

export const OPTION = {
  SUBCOMMAND: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
};

export const KIND = {
  3: "text",
  4: "whole number",
  5: "true or false",
  6: "person",
  7: "channel",
  8: "role",
  9: "person or role",
  10: "number",
  11: "file",
};

/**
 * Every command that can be sent, subcommands spelt out ("tournament create").
 *
 * Each is `{name, description, options, command, path}`; `path` are the subcommand names.
 * Descriptions and choices are in the language of `locale` if the bot has it.
 */
export function flatten(commands, locale) {
  const found = [];
  const described = (node) => node.description_localizations?.[locale] ?? node.description ?? "";
  const walk = (command, node, path) => {
    const branches = (node.options ?? []).filter(
      (option) => option.type === OPTION.SUBCOMMAND || option.type === OPTION.GROUP,
    );
    if (branches.length) {
      for (const branch of branches) walk(command, branch, [...path, branch]);
      return;
    }
    found.push({
      name: [command.name, ...path.map((part) => part.name)].join(" "),
      description: described(node),
      options: (node.options ?? []).map((option) => ({
        ...option,
        description: described(option),
        choices: option.choices?.map((each) => ({ ...each, name: each.name_localizations?.[locale] ?? each.name })),
      })),
      command,
      path,
    });
  };
  for (const command of commands) if ((command.type ?? 1) === 1) walk(command, command, []);
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** The commands whose name fits the typed text; those that begin with it come first. */
export function matching(entries, typed) {
  const wanted = typed.toLowerCase().trim();
  const rank = (entry) =>
    entry.name.startsWith(wanted)
      ? 0
      : entry.name.includes(wanted)
        ? 1
        : entry.description.toLowerCase().includes(wanted)
          ? 2
          : 3;
  return entries.filter((entry) => rank(entry) < (wanted ? 3 : 4)).sort((a, b) => rank(a) - rank(b));
}

/**
 * The command that a line such as "/pick red" or "/invite to:games player:@Bob" begins with.
 *
 * Returns `{entry, given}`, `given` being pairs of option name and text, or null. A line needs a
 * blank after the name: until then it may become another command.
 */
export function readLine(entries, line) {
  if (!line.startsWith("/")) return null;
  const text = line.slice(1);
  const fits = entries.filter((entry) => text.toLowerCase().startsWith(`${entry.name} `));
  const entry = fits.sort((a, b) => b.name.length - a.name.length)[0];
  if (!entry) return null;
  return { entry, given: readOptions(entry, text.slice(entry.name.length + 1)) };
}

/** The pairs of option name and text in the rest of a line; loose text is the first option's. */
export function readOptions(entry, text) {
  const names = entry.options.map((option) => option.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!names.length || !text.trim()) return [];
  const mark = new RegExp(`(?:^|\\s)(${names.join("|")}):`, "g");
  const marks = [...text.matchAll(mark)];
  const given = [];
  const loose = text.slice(0, marks[0]?.index ?? text.length).trim();
  if (loose) given.push([(entry.options.find((option) => option.required) ?? entry.options[0]).name, loose]);
  marks.forEach((found, index) => {
    const end = marks[index + 1]?.index ?? text.length;
    given.push([found[1], text.slice(found.index + found[0].length, end).trim()]);
  });
  return given;
}

/** A reading of one option's text: `{value}` to send, or `{problem}` in words. */
export function readValue(option, text, { choices, entities }) {
  const typed = text.trim();
  switch (option.type) {
    case OPTION.STRING:
      return readText(option, typed, choices);
    case OPTION.INTEGER:
    case OPTION.NUMBER:
      return readNumber(option, typed, choices);
    case OPTION.BOOLEAN:
      if (/^(true|yes)$/i.test(typed)) return { value: true };
      if (/^(false|no)$/i.test(typed)) return { value: false };
      return { problem: "Choose True or False." };
    default:
      return readEntity(typed, entities);
  }
}

function chosenFrom(choices, typed) {
  const lower = typed.toLowerCase();
  return (
    choices.find((choice) => choice.name === typed) ??
    choices.find((choice) => choice.name.toLowerCase() === lower) ??
    choices.find((choice) => String(choice.value).toLowerCase() === lower)
  );
}

function readText(option, typed, choices) {
  const chosen = chosenFrom(choices, typed);
  if (chosen) return { value: chosen.value };
  if (option.choices?.length) return { problem: "Choose one from the list." };
  const length = [...typed].length;
  if (length < (option.min_length ?? 0)) return { problem: `Write at least ${option.min_length} characters.` };
  if (length > (option.max_length ?? 6000))
    return { problem: `Write at most ${option.max_length ?? 6000} characters.` };
  return { value: typed };
}

function readNumber(option, typed, choices) {
  const chosen = chosenFrom(choices, typed);
  if (chosen) return { value: chosen.value };
  if (option.choices?.length) return { problem: "Choose one from the list." };
  const whole = option.type === OPTION.INTEGER;
  const value = Number(typed);
  if (!typed || !(whole ? Number.isSafeInteger(value) : Number.isFinite(value))) {
    return { problem: whole ? "Write a whole number." : "Write a number." };
  }
  if (option.min_value !== undefined && value < option.min_value)
    return { problem: `Not less than ${option.min_value}.` };
  if (option.max_value !== undefined && value > option.max_value)
    return { problem: `Not more than ${option.max_value}.` };
  return { value };
}

function readEntity(typed, entities) {
  const plain = typed.replace(/^[@#]/, "").toLowerCase();
  const mention = /^<(?:@[!&]?|#)(\d+)>$/.exec(typed);
  const same = entities.filter(
    (one) =>
      one.key === (mention?.[1] ?? typed) ||
      one.label.replace(/^[@#]/, "").toLowerCase() === plain ||
      one.detail?.toLowerCase() === plain,
  );
  if (same.length === 1) return { value: same[0].key };
  return { problem: same.length ? "Several have this name: choose one from the list." : "Choose one from the list." };
}

/** The options of an interaction, wrapped in the command's subcommands. */
export function nest(entry, options) {
  return entry.path.reduceRight((inner, part) => [{ type: part.type, name: part.name, options: inner }], options);
}

/** The data of a command interaction. */
export function commandData(entry, options) {
  const { command } = entry;
  const data = {
    id: command.id,
    name: command.name,
    type: command.type ?? 1,
    version: command.version,
    options: nest(entry, options),
  };
  if (command.guild_id) data.guild_id = command.guild_id;
  return data;
}
