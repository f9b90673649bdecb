// @ts-check
// Embeds: the older form of rich messages.

import { fileAddress, h } from "./dom.js";
import { inlineMarkdown, markdown } from "./markdown.js";
import { fullTime } from "./time.js";
import { colour, maybeLink } from "./components.js";
import { picture } from "./media.js";

/** The embeds of a message. */
export function embeds(list, context) {
  return (list ?? []).map((embed) => one(embed, context));
}

function one(embed, { markdown: words, reuse }) {
  const box = h("div", { class: "embed" });
  if (embed.color !== null && embed.color !== undefined) box.style.setProperty("--accent", colour(embed.color));
  const body = h("div", { class: "embed-body" });
  box.append(body);
  if (embed.author?.name) {
    body.append(
      h(
        "p",
        { class: "embed-author" },
        embed.author.icon_url && smallPicture(embed.author.icon_url),
        maybeLink(embed.author.url, [embed.author.name], words),
      ),
    );
  }
  if (embed.title) {
    body.append(h("h3", { class: "embed-title" }, maybeLink(embed.url, inlineMarkdown(embed.title, words), words)));
  }
  if (embed.description) body.append(h("div", { class: "text" }, markdown(embed.description, words)));
  if (embed.fields?.length) {
    body.append(
      h(
        "dl",
        { class: "fields" },
        embed.fields.map((field) =>
          h(
            "div",
            {
              class: field.inline ? "embed-field inline" : "embed-field",
            },
            h("dt", {}, inlineMarkdown(field.name ?? "", words)),
            h("dd", {}, markdown(field.value ?? "", words)),
          ),
        ),
      ),
    );
  }
  if (embed.image?.url) body.append(picture(embed.image, { alt: embed.image.description, reuse }));
  const foot = [embed.footer?.text, embed.timestamp && fullTime(Date.parse(embed.timestamp))].filter(Boolean);
  if (foot.length) body.append(h("p", { class: "embed-foot" }, foot.join(" • ")));
  if (embed.thumbnail?.url) {
    box.append(
      picture(embed.thumbnail, {
        alt: embed.thumbnail.description,
        single: false,
        reuse,
        className: "thumbnail",
      }),
    );
  }
  return box;
}

function smallPicture(url) {
  const address = fileAddress(url);
  return address && h("img", { class: "author-icon", src: address, alt: "", width: 20, height: 20 });
}
