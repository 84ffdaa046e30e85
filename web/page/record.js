// The game as a text that can be copied, pasted, opened and saved; and the picture of the board.

import { find, make, onSubmit } from "/shared/elements.js";
import { copyText } from "./browser.js";
import { YOU, pathTo } from "./game.js";
import { readText, writeText } from "./gametext.js";

const SCALE = 2; // pixels of a picture for each of the drawing
const KEPT = 60_000; // milliseconds for which a file that is saved stays

export class Record {
  constructor(page) {
    Object.assign(this, { page, form: find("#record") });
    onSubmit(this.form, () => this.read(this.form.text.value));
    this.form.file.addEventListener("change", () => this.open(this.form.file));
    find("#text").addEventListener("toggle", () => this.fill());
    find("#copy-game").addEventListener("click", () => this.copy());
    find("#save-game").addEventListener("click", () => save(`${this.name}.txt`, this.text, "text/plain"));
    find("#save-svg").addEventListener("click", () => save(`${this.name}.svg`, this.svg, "image/svg+xml"));
    find("#save-png").addEventListener("click", () => this.savePixels());
    document.addEventListener("paste", (event) => {
      if (event.target.closest?.("input, select, textarea")) return;
      find("#text").open = true;
      this.read(event.clipboardData.getData("text"));
    });
  }

  draw(state) {
    this.state = state;
    this.fill();
  }

  get text() {
    return writeText(this.state);
  }

  get svg() {
    return this.state.cursor.view.svg;
  }

  // The name of a file, of letters and digits: the game and the number of the move.
  get name() {
    const { game, cursor } = this.state;
    return `${game.replace(/[^a-z0-9]+/gi, "-")}-${pathTo(cursor).length}`;
  }

  // Shows the text of the game, unless the user is typing another one.
  fill() {
    const field = this.form.text;
    if (!find("#text").open || (this.filled && field.value !== this.filled)) return;
    field.value = this.filled = this.text;
  }

  async read(text) {
    this.say("Reading …");
    const reading = (this.reading = {}); // what is read last counts
    const show = (line) => this.page.connection.ask("show", line);
    const offers = (policy, game) => policy === YOU || this.page.setup.offersPolicy(policy, game);
    try {
      const next = await readText(text, this.state, offers, show);
      if (this.reading !== reading) return;
      if (this.form.text.value === text) this.filled = text; // what is typed meanwhile stays
      await this.page.attempt(() => next, "status", { policies: next.players.filter((player) => player !== YOU) });
      if (this.reading === reading) this.say("");
    } catch (error) {
      if (this.reading === reading) this.say(error.message, true);
    }
  }

  async open(field) {
    const [file] = field.files;
    if (file) await this.read(await file.text());
    field.value = ""; // so that the same file can be opened again
  }

  async copy() {
    if (await copyText(this.text)) this.say("The game is in the clipboard.");
    else {
      this.form.text.select();
      this.say("Copy the text that is selected.");
    }
  }

  async savePixels() {
    const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(this.svg)}` });
    await image.decode();
    const canvas = make("canvas", { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(`${this.name}.png`, blob, "image/png"));
  }

  say(text, isProblem = false) {
    const place = this.form.querySelector(".note");
    place.textContent = text;
    place.classList.toggle("problem", isProblem);
  }
}

function save(name, content, type) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT);
}
