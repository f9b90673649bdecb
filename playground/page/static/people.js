// The first screen: who is this window?

import { addPerson, listPeople } from "./api.js";
import { avatar, displayName, fill, h, icon, uniqueId } from "./dom.js";

/** Show the choice of people in `place`; `address(id)` is where a person's window lives. */
export async function showPeople(place, { address, note = null, adding = false }) {
  document.title = "Who are you? – local stand-in";
  const list = h("ul", { class: "people" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const id = uniqueId("name");
  const input = h("input", {
    id, class: "field", type: "text", maxlength: "32", required: true, autocomplete: "off", placeholder: "A name",
  });
  const say = (text) => {
    problem.textContent = text;
    problem.hidden = !text;
  };
  const form = h("form", {
    class: "add-person",
    onsubmit: async (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name) {
        input.focus();
        return;
      }
      try {
        const user = await addPerson(name);
        location.hash = address(user.id);
      } catch (error) {
        say(error.message);
      }
    },
  },
  h("label", { for: id, class: "label" }, "Or come in as a new person"),
  h("div", { class: "row" }, input, h("button", { type: "submit", class: "button primary" }, "Come in")));
  fill(place, h("main", { class: "chooser" }, h("div", { class: "chooser-card" },
    h("h1", {}, "Who are you in this window?"),
    h("p", { class: "lead" }, "Everybody here is made up. Each window is one person, so open a second window to play against yourself or to hand to a friend beside you."),
    note && h("p", { class: "problem", role: "alert" }, note),
    list, form, problem)));
  let people = [];
  try {
    people = await listPeople();
  } catch (error) {
    say(error.message);
  }
  const humans = people.filter((user) => !user.bot);
  fill(list, humans.map((user) => h("li", {},
    h("a", { class: "person", href: address(user.id) }, avatar(user, "large"), h("span", { class: "person-name" }, displayName(user))),
    h("a", {
      class: "icon-button", href: address(user.id), target: "_blank", rel: "noopener",
      "aria-label": `Open another window as ${displayName(user)}`, title: "In another window",
    }, icon("link")))));
  if (!humans.length) fill(form.querySelector("label"), "Your name");
  if (adding || !humans.length) input.focus();
  else list.querySelector("a").focus();
}
