// @ts-check
// Buttons, menus and the layout parts of messages.

import { displayName, avatar, fileAddress, h, icon, webAddress } from "./dom.js";
import { link, localPlace, markdown } from "./markdown.js";
import { fileCard, gallery, picture } from "./media.js";
import { selectMenu } from "./listbox.js";

export const TYPE = {
  ROW: 1,
  BUTTON: 2,
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  SECTION: 9,
  TEXT: 10,
  THUMBNAIL: 11,
  GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  CONTAINER: 17,
  LABEL: 18,
  FILE_UPLOAD: 19,
  RADIO: 21,
  CHECKBOXES: 22,
  CHECKBOX: 23,
};

const BUTTON_CLASS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary", 6: "secondary" };

/**
 * The nodes of a list of components.
 *
 * `context` is `{store, markdown, message, use(component, data), chosen, reuse}`: the names, the
 * message of the components, the action of a control, the earlier choices in its menus.
 */
export function components(list, context) {
  return (list ?? []).map((component) => one(component, context)).filter(Boolean);
}

function one(component, context) {
  switch (component.type) {
    case TYPE.ROW:
      return h("div", { class: "action-row" }, components(component.components, context));
    case TYPE.BUTTON:
      return button(component, context);
    case TYPE.STRING_SELECT:
    case TYPE.USER_SELECT:
    case TYPE.ROLE_SELECT:
    case TYPE.MENTIONABLE_SELECT:
    case TYPE.CHANNEL_SELECT:
      return messageSelect(component, context);
    case TYPE.SECTION:
      return h(
        "div",
        { class: "section" },
        h("div", { class: "section-text" }, components(component.components, context)),
        h("div", { class: "accessory" }, one(component.accessory, context)),
      );
    case TYPE.TEXT:
      return h("div", { class: "text" }, markdown(component.content ?? "", context.markdown));
    case TYPE.THUMBNAIL:
      return picture(component.media, {
        alt: component.description,
        spoiler: component.spoiler,
        single: false,
        reuse: context.reuse,
        className: "thumbnail",
      });
    case TYPE.GALLERY:
      return gallery(
        (component.items ?? []).map((item) => ({
          media: item.media,
          alt: item.description,
          spoiler: item.spoiler,
        })),
        { reuse: context.reuse },
      );
    case TYPE.FILE:
      return fileCard({
        ...component.file,
        filename: component.name ?? fileName(component.file?.url),
        size: component.size,
      });
    case TYPE.SEPARATOR:
      return h("div", {
        class: `separator ${component.spacing === 2 ? "wide" : ""} ${component.divider === false ? "blank" : ""}`,
        role: component.divider === false ? null : "separator",
      });
    case TYPE.CONTAINER:
      return container(component, context);
    default:
      return h("p", { class: "subtext" }, `A part of kind ${component.type}, which this page cannot show.`);
  }
}

function fileName(url) {
  try {
    return decodeURIComponent(new URL(url, location.href).pathname.split("/").pop());
  } catch {
    return "file";
  }
}

function container(component, context) {
  const box = h("div", { class: component.spoiler ? "container covered" : "container" });
  if (component.accent_color !== null && component.accent_color !== undefined) {
    box.style.setProperty("--accent", colour(component.accent_color));
    box.classList.add("accented");
  }
  const parts = components(component.components, context);
  if (!component.spoiler) {
    box.append(...parts);
    return box;
  }
  const cover = h(
    "button",
    {
      type: "button",
      class: "button secondary",
      onclick: () => {
        box.classList.remove("covered");
        box.replaceChildren(...parts);
      },
    },
    "Spoiler: show it",
  );
  box.append(cover);
  return box;
}

/** A colour number as CSS. */
export function colour(number) {
  return `#${Number(number).toString(16).padStart(6, "0").slice(-6)}`;
}

/** An emoji of a button or option: its character, or the picture of a custom one. */
export function emojiNode(emoji) {
  if (!emoji) return null;
  if (!emoji.id) return h("span", { class: "emoji-text", "aria-hidden": "true" }, emoji.name);
  const image = h("img", {
    class: "emoji",
    alt: "",
    src: fileAddress(`/cdn/emojis/${emoji.id}.png`),
  });
  image.addEventListener("error", () => image.remove(), { once: true });
  return image;
}

function button(component, context) {
  const words = [emojiNode(component.emoji), component.label && h("span", {}, component.label)];
  const name = component.label ? null : component.emoji?.name;
  if (component.style === 5) {
    const url = webAddress(component.url);
    const inside = url && localPlace(url, context.markdown);
    return h(
      "a",
      {
        class: `button secondary link-button${component.disabled ? " disabled" : ""}`,
        href: component.disabled || !url ? null : (inside ?? url.href),
        target: inside ? null : "_blank",
        rel: inside ? null : "noopener noreferrer nofollow",
        "aria-label": name,
        "aria-disabled": component.disabled && "true",
        role: component.disabled ? "link" : null,
      },
      words,
      icon("link"),
    );
  }
  return h(
    "button",
    {
      type: "button",
      class: `button ${BUTTON_CLASS[component.style] ?? "secondary"}`,
      disabled: component.disabled,
      "aria-label": name,
      dataset: { customId: component.custom_id ?? "" },
      onclick: () => context.use(component, { component_type: TYPE.BUTTON, custom_id: component.custom_id }),
    },
    h("span", { class: "button-words" }, words),
    h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  );
}

function messageSelect(component, context) {
  const key = component.custom_id;
  const values = context.chosen.get(key) ?? defaultValues(component);
  return selectMenu({
    ...selectSettings(component, context),
    values,
    customId: key,
    disabled: component.disabled,
    onChange: (chosen) => {
      context.chosen.set(key, chosen);
      context.use(component, { component_type: component.type, custom_id: key, values: chosen });
    },
  });
}

/** The initial choice of a menu: its default options, or its default users, roles, channels. */
export function defaultValues(component) {
  if (component.type === TYPE.STRING_SELECT) {
    return (component.options ?? []).filter((option) => option.default).map((option) => option.value);
  }
  return (component.default_values ?? []).map((value) => value.id);
}

const PLACEHOLDER = {
  [TYPE.STRING_SELECT]: "Make a selection",
  [TYPE.USER_SELECT]: "Select a user",
  [TYPE.ROLE_SELECT]: "Select a role",
  [TYPE.MENTIONABLE_SELECT]: "Select a user or role",
  [TYPE.CHANNEL_SELECT]: "Select a channel",
};

/** The options and limits of a menu, in the form for selectMenu. */
export function selectSettings(component, { store, channel }) {
  const entities = component.type !== TYPE.STRING_SELECT;
  return {
    items: () => selectItems(component, store, channel ?? store.current),
    placeholder: component.placeholder || PLACEHOLDER[component.type],
    min: component.min_values ?? 1,
    max: component.max_values ?? 1,
    search: entities,
  };
}

function selectItems(component, store, channelId) {
  const people = () => store.peopleIn(channelId).map(personItem);
  const roles = () =>
    store.rolesIn(channelId).map((role) => ({ key: role.id, label: `@${role.name.replace(/^@/, "")}` }));
  switch (component.type) {
    case TYPE.USER_SELECT:
      return people();
    case TYPE.ROLE_SELECT:
      return roles();
    case TYPE.MENTIONABLE_SELECT:
      return [...people(), ...roles()];
    case TYPE.CHANNEL_SELECT:
      return store
        .channelsOf(store.channels.get(channelId)?.guild_id)
        .filter((channel) => !component.channel_types?.length || component.channel_types.includes(channel.type))
        .map((channel) => ({ key: channel.id, label: `#${channel.name}` }));
    default:
      return (component.options ?? []).map((option) => ({
        key: option.value,
        label: option.label,
        description: option.description,
        image: emojiNode(option.emoji),
      }));
  }
}

/** A person as an option of a list. */
export function personItem(user) {
  const name = displayName(user);
  return {
    key: user.id,
    label: name,
    detail: user.bot ? "bot" : user.username.toLowerCase() !== name.toLowerCase() ? user.username : null,
    image: avatar(user, "small"),
  };
}

/** The link of an embed's title or author, or plain text. */
export function maybeLink(url, children, context) {
  return url && webAddress(url) ? link(url, children, context) : h("span", {}, children);
}
