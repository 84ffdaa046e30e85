// Elements of a page. Texts go in as text: nothing that a policy or a file is called can become part of the page's code.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes and children, which are elements or texts.
export function make(tag, attributes = {}, ...children) {
  return fillElement(document.createElement(tag), attributes, children);
}

// A button that calls `act()` when it is pressed.
export function button(attributes, act, ...children) {
  const element = make("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", () => act());
  return element;
}

// An element of a drawing with attributes and children.
export function shape(tag, attributes = {}, ...children) {
  return fillElement(document.createElementNS(SVG, tag), attributes, children);
}

function fillElement(element, attributes, children) {
  setAttributes(element, attributes).append(...children);
  return element;
}

// The element with these attributes.
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// The element of the page that a selector names first.
export function find(selector) {
  return document.querySelector(selector);
}

// The element of a position's drawing, as wide as its place. `label` is what a screen reader says, `role` what it is.
export function drawing(svg, label, role = "img") {
  const element = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  for (const name of ["width", "height"]) element.removeAttribute(name);
  return setAttributes(element, { role, "aria-label": label });
}

// Puts other children into an element. The focus stays on the one with the same `data-key`, or else on the element itself.
export function refill(root, ...children) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  root.replaceChildren(...children);
  if (!focused || root.contains(focused)) return;
  const same = [...root.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === focused.dataset.key);
  (same ?? root).focus({ preventScroll: true });
}

// Calls `act(element)` when a child that fits the selector is clicked, also where it was drawn again while the button was down.
export function onPress(root, selector, act) {
  const press = (event) => {
    const pressed = event.target.closest(selector) ?? document.elementFromPoint(event.clientX, event.clientY)?.closest(selector);
    if (pressed && root.contains(pressed)) act(pressed);
  };
  root.addEventListener("click", press, true);
}

// Calls `act()` when a form is sent, instead of loading what it names.
export function onSubmit(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}
