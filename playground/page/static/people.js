// @ts-check
// The first screen: choosing the person of this window.

import { addPerson, listPeople } from "./api.js";
import { avatar, displayName, fill, h, icon, uniqueId } from "./dom.js";

/** The languages that a person can read, as Discord names them. */
const LANGUAGES = [
  ["en-GB", "English"],
  ["de", "Deutsch"],
  ["es-ES", "Español"],
  ["fr", "Français"],
  ["ja", "日本語"],
  ["pl", "Polski"],
  ["pt-BR", "Português (Brasil)"],
];

/** The browser's first preference among these languages. */
function ownLanguage() {
  const family = (locale) => locale.split("-")[0];
  const known = LANGUAGES.map(([locale]) => locale);
  const wanted = navigator.languages.map((each) => known.find((locale) => family(locale) === family(each)));
  return wanted.find(Boolean) ?? known[0];
}

/** The error in a name, and its fix; "" for a valid one. */
function wrongName(name) {
  if (name.startsWith("/")) return "That’s a command. Type a name here; commands come on the next page.";
  return /[\p{L}\p{N}]/u.test(name) ? "" : "Type a name with at least one letter or digit.";
}

/** Show the choice of people in `place`; `address(id)` is the address of a person's window. */
export async function showPeople(place, { address, note = null, adding = false }) {
  document.title = "Who are you? – playground";
  const list = h("ul", { class: "people" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const id = uniqueId("name");
  const input = h("input", {
    id,
    class: "field",
    type: "text",
    maxlength: "32",
    required: true,
    autocomplete: "off",
    placeholder: "A name",
  });
  const languageId = uniqueId("language");
  const language = h(
    "select",
    { id: languageId, class: "field" },
    LANGUAGES.map(([locale, name]) =>
      h("option", { value: locale, lang: locale, selected: locale === ownLanguage() }, name),
    ),
  );
  const say = (text) => {
    problem.textContent = text;
    problem.hidden = !text;
  };
  const form = h(
    "form",
    {
      class: "add-person",
      onsubmit: async (event) => {
        event.preventDefault();
        const name = input.value.trim();
        const wrong = wrongName(name);
        if (wrong) {
          say(wrong);
          input.focus();
          return;
        }
        try {
          const user = await addPerson(name, language.value);
          location.hash = address(user.id);
        } catch (error) {
          say(error.message);
        }
      },
    },
    h("label", { for: id, class: "label" }, "Or come in as a new person"),
    input,
    h("label", { for: languageId, class: "label" }, "Language"),
    h("div", { class: "row" }, language, h("button", { type: "submit", class: "button primary" }, "Come in")),
  );
  fill(
    place,
    h(
      "main",
      { class: "chooser" },
      h(
        "div",
        { class: "chooser-card" },
        h("h1", {}, "Who are you in this window?"),
        h(
          "p",
          { class: "lead" },
          "Everybody here is made up. Each window is one person, so open a second window to play against yourself or to hand to a friend beside you.",
        ),
        note && h("p", { class: "problem", role: "alert" }, note),
        list,
        form,
        problem,
      ),
    ),
  );
  let people = [];
  try {
    people = await listPeople();
  } catch (error) {
    say(error.message);
  }
  fill(
    list,
    people.map((user) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: "person", href: address(user.id) },
          avatar(user, "large"),
          h("span", { class: "person-name" }, displayName(user)),
        ),
        h(
          "a",
          {
            class: "icon-button",
            href: address(user.id),
            target: "_blank",
            rel: "noopener",
            "aria-label": `Open another window as ${displayName(user)}`,
            title: "In another window",
          },
          icon("link"),
        ),
      ),
    ),
  );
  if (!people.length) fill(form.querySelector("label"), "Your name");
  if (adding || !people.length) input.focus();
  else list.querySelector("a").focus();
}
