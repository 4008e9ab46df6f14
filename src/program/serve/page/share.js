// What can be taken away of a position: its link, its text, its picture.

import * as address from './address.js';
import { by, make, onPress } from './dom.js';
import { now } from './state.js';

// The width of a picture that is saved as PNG, in pixels.
const WIDTH = 1200;

export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// Some browsers let pages copy only where the connection is safe.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = make('textarea', { class: 'unseen' });
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

// The picture of the position, with the colours of the page, as a file of its own.
function picture() {
  const image = by('board').querySelector('svg').cloneNode(true);
  for (const extra of image.querySelectorAll('.over, .under')) extra.remove();
  const { width, height } = image.viewBox.baseVal;
  const root = getComputedStyle(document.documentElement);
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const wanted = rules.filter((rule) => rule.selectorText?.startsWith('.scene')).map((rule) => rule.cssText);
  const colours = [...new Set(wanted.join().match(/--[a-z-]+/g))];
  const values = colours.map((name) => `${name}:${root.getPropertyValue(name)}`).join(';');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  // A picture has colours of its own, where it says so after those of the page.
  style.textContent = `svg{${values}}\n${wanted.join('\n')}`;
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width, height, fill: root.getPropertyValue('--paper') })) {
    paper.setAttribute(name, value);
  }
  image.prepend(style, paper);
  image.setAttribute('width', WIDTH);
  image.setAttribute('height', Math.round((WIDTH * height) / width));
  return new XMLSerializer().serializeToString(image);
}

async function png() {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture())}`;
  await image.decode();
  const canvas = make('canvas', { width: image.width, height: image.height });
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

export function listenToShare() {
  const say = (text) => { by('share-note').textContent = text; };
  const name = (ending) => `${now.shown.table.name}.${ending}`;
  onPress(by('open-share'), () => {
    if (!now.shown) return;
    say('');
    for (const id of ['save-svg', 'save-png']) by(id).hidden = !now.shown.answer.picture;
    const { table, answer } = now.shown;
    by('copy-task').hidden = !table.has_distances || answer.position.over;
    by('share').showModal();
  });
  onPress(by('copy-link'), async () => {
    await copy(location.href);
    say('The link is copied.');
  });
  onPress(by('copy-task'), async () => {
    const { table, answer } = now.shown;
    await copy(location.href.split('#')[0] + address.set(table.name, [{ kind: 'only', state: answer.position.state }]));
    say('The link is copied. A set of tasks has several positions behind “train=”, with commas between them.');
  });
  onPress(by('copy-position'), async () => {
    await copy(now.shown.answer.position.state);
    say('The position is copied.');
  });
  onPress(by('save-svg'), () => save(name('svg'), new Blob([picture()], { type: 'image/svg+xml' })));
  onPress(by('save-png'), async () => save(name('png'), await png()));
}
