// Adds stepping through games. Without it each game shows its last position and all its moves.
(() => {
  "use strict";
  const start = document.currentScript.dataset.start;
  const template = document.getElementById("steps");

  function prepare(game) {
    if (game.dataset.ready) return;
    game.dataset.ready = "yes";
    const board = game.querySelector("svg.board");
    if (!board) return;
    const layers = [...board.querySelectorAll("g")];
    const caption = game.querySelector("figcaption");
    const outcome = caption.textContent;
    const moves = [...game.querySelectorAll(".moves li")];
    const last = layers.length - 1;
    const steps = template.content.cloneNode(true).firstElementChild;
    const buttons = Object.fromEntries([...steps.querySelectorAll("button")].map((each) => [each.dataset.to, each]));
    let at = last;

    function show(ply) {
      at = Math.max(0, Math.min(last, ply));
      layers.forEach((layer, number) => {
        if (number <= at) layer.removeAttribute("display");
        else layer.setAttribute("display", "none");
      });
      board.setAttribute("aria-label", layers[at].dataset.alt);
      moves.forEach((move, number) => {
        const button = move.firstElementChild;
        if (number === at - 1) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
      });
      const move = moves[at - 1];
      const said = move ? at + ". " + move.textContent + " · " + layers[at].dataset.by : start;
      caption.textContent = at === last && outcome ? said + " · " + outcome : said;
      for (const to of ["first", "back"]) buttons[to].setAttribute("aria-disabled", at === 0);
      for (const to of ["on", "last"]) buttons[to].setAttribute("aria-disabled", at === last);
    }

    moves.forEach((move, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.textContent;
      button.addEventListener("click", () => show(number + 1));
      move.replaceChildren(button);
    });
    const ways = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => last };
    for (const [to, button] of Object.entries(buttons)) {
      button.addEventListener("click", () => show(ways[to]()));
    }
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    game.querySelector(".play").addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      show(ways[keys[event.key]]());
    });
    caption.after(steps);
    show(last);
  }

  const games = [...document.querySelectorAll("details.game")];
  for (const game of games) {
    if (game.open) prepare(game);
    game.addEventListener("toggle", () => game.open && prepare(game));
  }

  function follow() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const game = target && target.closest("details.game");
    if (!game) return;
    game.open = true;
    prepare(game);
    game.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  follow();
})();
