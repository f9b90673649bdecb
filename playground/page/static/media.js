// @ts-check
// Pictures and files: shown in place, enlarged on a click, with their description at hand.

import { fileAddress, fileSize, h, icon, uniqueId } from "./dom.js";

const PICTURE = /\.(png|jpe?g|gif|webp|avif|bmp)(\?|$)/i;

/** Whether an attachment or media item is a picture. */
export function isPicture(media) {
  return media.content_type ? media.content_type.startsWith("image/") : PICTURE.test(media.filename ?? media.url ?? "");
}

/**
 * A picture with its ALT button.
 *
 * `reuse` holds picture elements by address, so that an edited message keeps its picture on screen
 * instead of loading it again.
 */
export function picture(media, { alt, spoiler = false, single = true, reuse = null, className = "" }) {
  const address = fileAddress(media.proxy_url ?? media.url);
  if (!address) return h("p", { class: "subtext" }, "A picture that cannot be shown");
  const words = alt?.trim() ? alt : "";
  const kept = reuse?.get(address);
  const image = kept ?? h("img", { src: address, decoding: "async", class: "picture" });
  reuse?.delete(address);
  image.alt = words || "Picture without a description";
  if (media.width && media.height) {
    image.width = media.width;
    image.height = media.height;
  }
  const frame = h("figure", { class: `media ${single ? "single" : "tile"} ${className}` });
  const opener = h(
    "button",
    {
      type: "button",
      class: "enlarge",
      "aria-label": `Enlarge picture${words ? `: ${short(words)}` : ""}`,
      onclick: () => {
        if (frame.classList.contains("covered")) frame.classList.remove("covered");
        else enlarge(address, media, words);
      },
    },
    image,
  );
  if (media.width && media.height) {
    opener.style.setProperty("--ratio", `${media.width} / ${media.height}`);
    opener.style.setProperty("--width", `${media.width}px`);
    opener.style.setProperty("--share", String(media.width / media.height));
  }
  frame.append(opener);
  if (spoiler) {
    frame.classList.add("covered");
    frame.append(h("span", { class: "cover-word", "aria-hidden": "true" }, "Spoiler"));
  }
  if (words) frame.append(...altButton(words));
  return frame;
}

function short(words) {
  return words.length > 80 ? `${words.slice(0, 79)}…` : words;
}

function altButton(words) {
  const id = uniqueId("alt");
  const note = h("figcaption", { class: "alt-text", id, hidden: true }, words);
  const button = h(
    "button",
    {
      type: "button",
      class: "alt-button",
      "aria-expanded": "false",
      "aria-controls": id,
      "aria-label": "Picture description",
      title: "Show the picture's description",
      onclick: () => {
        note.hidden = !note.hidden;
        button.setAttribute("aria-expanded", String(!note.hidden));
      },
      onkeydown: (event) => {
        if (event.key !== "Escape" || note.hidden) return;
        event.stopPropagation();
        button.click();
      },
    },
    "ALT",
  );
  return [button, note];
}

/** Show a picture as large as the window allows, its description under it. */
export function enlarge(address, media, words) {
  const dialog = h(
    "dialog",
    {
      class: "lightbox",
      "aria-label": words ? short(words) : "Picture",
      onclick: (event) => (event.target === dialog || event.target.classList.contains("stage")) && dialog.close(),
      onclose: () => dialog.remove(),
    },
    h(
      "div",
      { class: "stage" },
      h("img", {
        src: address,
        alt: words || "Picture without a description",
        width: media.width,
        height: media.height,
      }),
    ),
    h(
      "div",
      { class: "lightbox-foot" },
      words && h("p", { class: "lightbox-alt" }, words),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button secondary", href: address, target: "_blank", rel: "noopener" }, "Open the file"),
        h("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Close"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** A file that is not a picture: its name, size and a way to save it. */
export function fileCard(file) {
  const address = fileAddress(file.url);
  const name = file.title || file.filename || file.name || "file";
  return h(
    "div",
    { class: "file" },
    icon("file"),
    address
      ? h("a", { href: address, class: "link", target: "_blank", rel: "noopener", download: file.filename ?? "" }, name)
      : h("span", {}, name),
    file.size ? h("span", { class: "detail" }, fileSize(file.size)) : null,
  );
}

/** The attachments of a message: pictures as a grid, other files as cards. */
export function attachments(files, { reuse }) {
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  const nodes = [];
  if (pictures.length) {
    nodes.push(
      gallery(
        pictures.map((file) => ({
          media: file,
          alt: file.description,
          spoiler: file.filename?.startsWith("SPOILER_"),
        })),
        { reuse },
      ),
    );
  }
  return [...nodes, ...others.map(fileCard)];
}

/** One to ten pictures: one stands free, several form a grid. */
export function gallery(items, { reuse }) {
  const single = items.length === 1;
  return h(
    "div",
    { class: single ? "gallery single" : `gallery many count-${Math.min(items.length, 4)}` },
    items.map((item) =>
      isPicture(item.media) || !item.media.content_type
        ? picture(item.media, { alt: item.alt, spoiler: item.spoiler, single, reuse })
        : fileCard(item.media),
    ),
  );
}
