// Small helpers for making elements. Texts become text nodes: nothing from the server is read as HTML.

export const by = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A button that cannot be used keeps its focus, which a disabled one would lose.
export function enable(button, usable) {
  if (usable) button.removeAttribute('aria-disabled');
  else button.setAttribute('aria-disabled', 'true');
}

const isUsable = (button) => button.getAttribute('aria-disabled') !== 'true';

export function onPress(button, press) {
  button.addEventListener('click', (event) => {
    if (isUsable(button)) press(event);
  });
}

// Browsers may forbid storage.
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`retrograde-${name}`);
    else localStorage.setItem(`retrograde-${name}`, value);
  } catch { /* then it is forgotten */ }
}

export function remembered(name) {
  try {
    return localStorage.getItem(`retrograde-${name}`);
  } catch {
    return null;
  }
}

// Says something in the place of a note for as long as something is pointed at. The room is that of the
// note, so that nothing moves.
export function sayInstead(element, text) {
  element.textContent = text ?? '';
  element.parentElement.classList.toggle('pointing', Boolean(text));
}

// Puts new children into an element whose buttons may have the focus, and gives it to their successor.
export function replace(element, children, successor = () => element.querySelector('button, a, [tabindex="0"]')) {
  const focused = element.contains(document.activeElement);
  element.replaceChildren(...children);
  if (focused) successor()?.focus({ preventScroll: true });
}

// Whether things may move. Some people have asked their system for less of it.
export const moves = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;
