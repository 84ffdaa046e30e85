// What a mark of a plot or a cell of a table means, shown at the pointer.

import { make } from "./elements.js";

const MEANS = '[data-tip], .plot [role="graphics-symbol"][aria-label]:not([aria-roledescription="axis"])';

export function showTips() {
  const tip = document.body.appendChild(make("div", { id: "tip", role: "tooltip", hidden: "" }));
  const point = (event) => {
    const target = event.target instanceof Element && event.target.closest(MEANS);
    tip.hidden = !target;
    if (!target) return;
    tip.textContent = target.dataset.tip ?? target.getAttribute("aria-label");
    const { width, height } = tip.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    tip.style.left = `${Math.max(8, Math.min(x - width / 2, innerWidth - width - 8))}px`;
    tip.style.top = `${y - height - 14 > 0 ? y - height - 14 : y + 18}px`;
  };
  addEventListener("pointermove", point);
  addEventListener("pointerdown", point);
  addEventListener("scroll", () => (tip.hidden = true), { passive: true, capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && (tip.hidden = true));
}
