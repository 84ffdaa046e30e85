// The address, what the browser keeps from one visit to the next, and the clipboard. A browser may refuse the last two.

// Writes fields into the address, as a step that one can go back from, or in place of the last one.
export function writeAddress(fields, replace) {
  const hash = `#${fields}`;
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
}

// What is kept by a name, or else what is given.
export function readKept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function writeKept(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // then nothing is kept
  }
}

// Whether a text could be copied.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
