// @ts-check
// Modals: the forms that a bot opens, and the small dialogs of this page itself.

import { append, h, icon, uniqueId } from "./dom.js";
import { markdown } from "./markdown.js";
import { TYPE, defaultValues, selectSettings } from "./components.js";
import { closeMenus, selectMenu } from "./listbox.js";

/**
 * Open a modal that the bot sent.
 *
 * `context` is `{store, markdown, botName, channel, upload(file), submit(components)}`; `submit`
 * resolves if the bot accepted the form.
 */
export function openModal(modal, context) {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.modal"))?.close();
  const title = uniqueId("modal");
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const fields = modal.components.map((row) => fieldsOf(row, context)).flat();
  const send = h(
    "button",
    { type: "submit", class: "button primary" },
    h("span", { class: "button-words" }, "Submit"),
    h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
  );
  const form = h(
    "form",
    {
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        if (send.classList.contains("busy")) return;
        problem.hidden = true;
        const wrong = fields.filter((field) => field.check && !field.check());
        if (wrong.length) {
          wrong[0].focus();
          return;
        }
        send.classList.add("busy");
        send.setAttribute("aria-busy", "true");
        try {
          await context.submit(await Promise.all(fields.map((field) => field.value())));
          dialog.close();
        } catch (error) {
          problem.textContent = `Something went wrong: ${error.message}. Nothing was lost; try again.`;
          problem.hidden = false;
        } finally {
          send.classList.remove("busy");
          send.removeAttribute("aria-busy");
        }
      },
    },
    fields.map((field) => field.node),
    problem,
    h(
      "div",
      { class: "dialog-foot" },
      h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"),
      send,
    ),
  );
  const dialog = h(
    "dialog",
    {
      class: "modal",
      "aria-labelledby": title,
      onclose: () => {
        closeMenus();
        dialog.remove();
      },
    },
    h(
      "header",
      { class: "dialog-head" },
      h("div", {}, h("h2", { id: title }, modal.title), h("p", { class: "detail" }, `A form from ${context.botName}`)),
      h(
        "button",
        { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() },
        icon("close"),
      ),
    ),
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
  fields.find((field) => field.focus)?.focus();
  return dialog;
}

function fieldsOf(row, context) {
  if (row.type === TYPE.TEXT) {
    return [
      {
        node: h("div", { class: "text" }, markdown(row.content ?? "", context.markdown)),
        value: async () => ({ type: row.type, id: row.id }),
      },
    ];
  }
  if (row.type === TYPE.LABEL) {
    const field = control(row.component, { label: row.label, description: row.description }, context);
    return [{ ...field, value: async () => ({ type: row.type, id: row.id, component: await field.value() }) }];
  }
  return (row.components ?? []).map((component) => {
    const field = control(component, { label: component.label }, context);
    return { ...field, value: async () => ({ type: 1, id: row.id, components: [await field.value()] }) };
  });
}

function control(component, words, context) {
  switch (component.type) {
    case TYPE.TEXT_INPUT:
      return textInput(component, words);
    case TYPE.FILE_UPLOAD:
      return fileInput(component, words, context);
    case TYPE.RADIO:
    case TYPE.CHECKBOXES:
      return boxes(component, words);
    case TYPE.CHECKBOX:
      return checkbox(component, words);
    default:
      return select(component, words, context);
  }
}

/** Label, description, the control and the place for its error. */
function frame(component, { label, description }, input, { group = false } = {}) {
  const id = uniqueId("field");
  const labelId = `${id}-label`;
  const hint = description && h("p", { class: "detail", id: `${id}-hint` }, description);
  const error = h("p", { class: "problem", id: `${id}-error`, hidden: true });
  const required = component.required !== false && component.type !== TYPE.CHECKBOX;
  const title = h(
    group ? "span" : "label",
    { id: labelId, class: "label", for: group ? null : id },
    label,
    required
      ? h(
          "span",
          { class: "required", title: "Required" },
          h("span", { "aria-hidden": "true" }, " *"),
          h("span", { class: "for-readers" }, " (required)"),
        )
      : h("span", { class: "optional" }, " optional"),
  );
  if (group) {
    input.setAttribute("role", "group");
    input.setAttribute("aria-labelledby", labelId);
  } else input.id = id;
  input.setAttribute("aria-describedby", [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(" "));
  const say = (text) => {
    error.textContent = text ?? "";
    error.hidden = !text;
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return !text;
  };
  return { node: h("div", { class: "form-field" }, title, hint, input, error), say, labelId, required };
}

function textInput(component, words) {
  const long = component.style === 2;
  const input = h(long ? "textarea" : "input", {
    class: "field",
    maxlength: component.max_length ?? 4000,
    placeholder: component.placeholder,
    rows: long ? 5 : null,
    type: long ? null : "text",
    autocomplete: "off",
    dataset: { customId: component.custom_id },
  });
  input.value = component.value ?? "";
  const { node, say, required } = frame(component, words, input);
  input.setAttribute("aria-required", String(required));
  const check = () => {
    const length = [...input.value].length;
    if (required && !length) return say("Please fill this in.");
    if (length && length < (component.min_length ?? 0)) {
      return say(`Please write at least ${component.min_length} characters (now ${length}).`);
    }
    return say(null);
  };
  input.addEventListener("input", () => say(null));
  return {
    node,
    check,
    focus: () => input.focus(),
    value: async () => ({ type: component.type, id: component.id, custom_id: component.custom_id, value: input.value }),
  };
}

function select(component, words, context) {
  let values = defaultValues(component);
  const holder = h("div", {});
  const { node, say, labelId, required } = frame(component, words, holder, { group: true });
  const trigger = selectMenu({
    ...selectSettings(component, context),
    values,
    label: labelId,
    live: true,
    customId: component.custom_id,
    min: required ? Math.max(1, component.min_values ?? 1) : 0,
    onChange: (chosen) => {
      values = chosen;
      say(null);
    },
  });
  holder.append(trigger);
  const check = () => {
    const least = component.min_values ?? 1;
    if (!values.length && !required) return say(null);
    if (values.length < Math.max(required ? 1 : 0, least)) {
      return say(least > 1 ? `Please choose at least ${least}.` : "Please choose one.");
    }
    return say(null);
  };
  return {
    node,
    check,
    focus: () => trigger.focus(),
    value: async () => ({ type: component.type, id: component.id, custom_id: component.custom_id, values }),
  };
}

function boxes(component, words) {
  const radio = component.type === TYPE.RADIO;
  const name = uniqueId("choice");
  const inputs = component.options.map((option) => {
    const input = h("input", { type: radio ? "radio" : "checkbox", name, value: option.value });
    input.checked = Boolean(option.default);
    return [input, option];
  });
  const holder = h(
    "div",
    { class: "choices", dataset: { customId: component.custom_id } },
    inputs.map(([input, option]) =>
      h(
        "label",
        { class: "choice" },
        input,
        h("span", {}, option.label, option.description && h("span", { class: "detail" }, option.description)),
      ),
    ),
  );
  const { node, say, required } = frame(component, words, holder, { group: true });
  if (radio) holder.setAttribute("role", "radiogroup");
  const chosen = () => inputs.filter(([input]) => input.checked).map(([, option]) => option.value);
  holder.addEventListener("change", () => say(null));
  const check = () => {
    const count = chosen().length;
    if (!count) return say(required ? "Please choose." : null);
    if (!radio && count < (component.min_values ?? 1)) return say(`Please choose at least ${component.min_values}.`);
    if (!radio && count > (component.max_values ?? 10)) return say(`Please choose at most ${component.max_values}.`);
    return say(null);
  };
  return {
    node,
    check,
    focus: () => inputs[0][0].focus(),
    value: async () => ({
      type: component.type,
      id: component.id,
      custom_id: component.custom_id,
      ...(radio ? { value: chosen()[0] ?? null } : { values: chosen() }),
    }),
  };
}

function checkbox(component, { label, description }) {
  const input = h("input", { type: "checkbox", dataset: { customId: component.custom_id } });
  input.checked = Boolean(component.default);
  const node = h(
    "label",
    { class: "choice form-field" },
    input,
    h("span", {}, label, description && h("span", { class: "detail" }, description)),
  );
  return {
    node,
    focus: () => input.focus(),
    value: async () => ({
      type: component.type,
      id: component.id,
      custom_id: component.custom_id,
      value: input.checked,
    }),
  };
}

function fileInput(component, words, context) {
  const most = component.max_values ?? 1;
  const input = h("input", {
    type: "file",
    class: "field",
    multiple: most > 1,
    dataset: { customId: component.custom_id },
  });
  const { node, say, required } = frame(component, words, input);
  input.addEventListener("change", () => say(null));
  const check = () => {
    if (!input.files.length) return say(required ? "Please choose a file." : null);
    if (input.files.length > most) return say(`Please choose at most ${most} files.`);
    return say(null);
  };
  return {
    node,
    check,
    focus: () => input.focus(),
    value: async () => ({
      type: component.type,
      id: component.id,
      custom_id: component.custom_id,
      values: await Promise.all([...input.files].map(async (file) => (await context.upload(file)).id)),
    }),
  };
}

/** A dialog of the page itself that asks for one line of text; resolves to it, or to null. */
export function askText({ title, label, hint, action, maxLength = 100 }) {
  return new Promise((resolve) => {
    let answer = null;
    const id = uniqueId("ask");
    const input = h("input", {
      id,
      class: "field",
      type: "text",
      maxlength: maxLength,
      required: true,
      autocomplete: "off",
    });
    const dialog = h(
      "dialog",
      {
        class: "modal small",
        "aria-labelledby": `${id}-title`,
        onclose: () => {
          dialog.remove();
          resolve(answer);
        },
      },
      h(
        "form",
        {
          method: "dialog",
          onsubmit: () => {
            answer = input.value.trim() || null;
          },
        },
        h("h2", { id: `${id}-title` }, title),
        h(
          "div",
          { class: "form-field" },
          h("label", { class: "label", for: id }, label),
          hint && h("p", { class: "detail" }, hint),
          input,
        ),
        h(
          "div",
          { class: "dialog-foot" },
          h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"),
          h("button", { type: "submit", class: "button primary" }, action),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}

/** A dialog that asks whether to go on; resolves to true or false. */
export function askSure({ title, text, action }) {
  return new Promise((resolve) => {
    const id = uniqueId("sure");
    let answer = false;
    const dialog = h("dialog", {
      class: "modal small",
      role: "alertdialog",
      "aria-labelledby": id,
      onclose: () => {
        dialog.remove();
        resolve(answer);
      },
    });
    append(dialog, [
      h("h2", { id }, title),
      h("p", {}, text),
      h(
        "div",
        { class: "dialog-foot" },
        h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Keep it"),
        h(
          "button",
          {
            type: "button",
            class: "button danger",
            onclick: () => {
              answer = true;
              dialog.close();
            },
          },
          action,
        ),
      ),
    ]);
    document.body.append(dialog);
    dialog.showModal();
  });
}
