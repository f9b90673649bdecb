// Logs in with discord.js, registers /ping and answers it and its button.
// node bot.js <base address> <token>
"use strict";
const {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  Events,
  GatewayIntentBits,
  MessageFlags,
  SlashCommandBuilder,
} = require("discord.js");

const [address, token] = process.argv.slice(2);
const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: `${address}/api` },
});

client.once(Events.ClientReady, async (ready) => {
  await ready.application.commands.set([
    new SlashCommandBuilder()
      .setName("ping")
      .setDescription("Ping")
      .addStringOption((option) => option.setName("text").setDescription("Text").setAutocomplete(true)),
  ]);
});

client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isAutocomplete()) {
    await interaction.respond([{ name: "suggested", value: "suggested" }]);
  } else if (interaction.isChatInputCommand()) {
    await interaction.deferReply();
    const button = new ButtonBuilder().setCustomId("more").setLabel("More").setStyle(ButtonStyle.Primary);
    await interaction.editReply({
      content: `pong ${interaction.options.getString("text")}`,
      components: [new ActionRowBuilder().addComponents(button)],
      files: [{ attachment: Buffer.from("a1"), name: "game.txt" }],
    });
  } else if (interaction.isButton()) {
    await interaction.reply({ content: "more", flags: MessageFlags.Ephemeral });
  }
});

client.login(token);
