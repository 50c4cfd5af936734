"use strict";
(() => {
  const frame = document.getElementById("map");
  const svg = frame.querySelector("svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  let view = { x: 0, y: 0, w: width, h: height };
  const show = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = Math.max(view.w / box.width, view.h / box.height);
    return {
      x: view.x + view.w / 2 + (event.clientX - box.left - box.width / 2) * scale,
      y: view.y + view.h / 2 + (event.clientY - box.top - box.height / 2) * scale,
      scale,
    };
  };
  const move = (x, y) => {
    view.x = clamp(x, -view.w / 2, width - view.w / 2);
    view.y = clamp(y, -view.h / 2, height - view.h / 2);
    show();
  };
  const zoom = (factor, point) => {
    const w = clamp(view.w * factor, width / 12, width);
    const by = w / view.w;
    const x = point.x - (point.x - view.x) * by;
    const y = point.y - (point.y - view.y) * by;
    view.w = w;
    view.h = (height * w) / width;
    move(x, y);
  };
  const middle = () => ({ x: view.x + view.w / 2, y: view.y + view.h / 2 });
  const whole = () => {
    view = { x: 0, y: 0, w: width, h: height };
    show();
  };
  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, at(event));
  }, { passive: false });
  const fingers = new Map();
  let spread = 0;
  frame.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    frame.setPointerCapture(event.pointerId);
    spread = 0;
  });
  frame.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 1) {
      const { scale } = at(event);
      move(view.x - (event.clientX - before.clientX) * scale, view.y - (event.clientY - before.clientY) * scale);
    }
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      if (spread > 0 && now > 0) {
        zoom(spread / now, at({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
      }
      spread = now;
    }
  });
  const lift = (event) => {
    fingers.delete(event.pointerId);
    spread = 0;
  };
  frame.addEventListener("pointerup", lift);
  frame.addEventListener("pointercancel", lift);
  frame.addEventListener("dblclick", whole);
  frame.addEventListener("keydown", (event) => {
    const step = view.w / 8;
    const keys = {
      "+": () => zoom(1 / 1.3, middle()),
      "=": () => zoom(1 / 1.3, middle()),
      "-": () => zoom(1.3, middle()),
      "0": whole,
      ArrowLeft: () => move(view.x - step, view.y),
      ArrowRight: () => move(view.x + step, view.y),
      ArrowUp: () => move(view.x, view.y - step),
      ArrowDown: () => move(view.x, view.y + step),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  document.getElementById("in").addEventListener("click", () => zoom(1 / 1.4, middle()));
  document.getElementById("out").addEventListener("click", () => zoom(1.4, middle()));
  document.getElementById("whole").addEventListener("click", whole);
  for (const row of document.querySelectorAll("tr[data-x]")) {
    row.addEventListener("click", () => {
      const w = Math.min(width, 640);
      view.w = w;
      view.h = (height * w) / width;
      move(Number(row.dataset.x) - view.w / 2, Number(row.dataset.y) - view.h / 2);
      frame.scrollIntoView({ block: "nearest" });
    });
  }
  // only what has something to tell is in the pointer's way
  for (const shape of svg.querySelectorAll("polygon, circle, polyline, text")) {
    if (!shape.querySelector("title")) shape.setAttribute("pointer-events", "none");
  }
  // what lies under the pointer, told at once and not after a wait
  const tip = document.getElementById("tip");
  frame.addEventListener("pointerover", (event) => {
    const title = event.target.closest("polygon, circle")?.querySelector("title");
    tip.textContent = title ? title.textContent : "";
  });
})();
