// What the page has on its top right: about the program and the table, light and dark.

import { isSite } from './api.js';
import { by, make, remember, remembered } from './dom.js';
import { number, plies, several, size } from './words.js';

// Says what the program is, and what is known of a table.
export function showAbout(catalog, table) {
  by('about-text').textContent = `${catalog.program} ${catalog.version} solves two-player games completely. `
    + `All that is shown here is looked up in a table of every position${isSite
      ? ', which your browser reads: there is no server.' : ', and can be asked at /api/tables too.'}`;
  const rows = table ? [
    ['table', table.name], ['game', table.game], ['parameters', parameters(table.parameters)],
    ['players', (table.players ?? []).join(', ')], ['positions', number(table.states)],
    ['size', size(table.bytes)], ['numbering', table.numbering],
    ['longest win', table.longest_plies === null ? null : plies(table.longest_plies)],
    ['endless play', table.endless === 'draw' ? 'a draw' : `a win for ${table.endless}`],
    ['ply limit', table.ply_limit === null ? null : plies(table.ply_limit)],
    ['plies known', table.has_distances ? 'yes' : 'no, outcomes only'],
  ] : [];
  by('about-list').replaceChildren(...rows.filter(([, value]) => value)
    .flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  by('about').showModal();
}

// The parameters in words, such as “columns 4, rows 4, fold no”.
function parameters(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return inWords(value);
  return Object.entries(value).filter(([, one]) => one !== null)
    .map(([name, one]) => `${name.replaceAll('_', ' ')} ${inWords(one)}`).join(', ');
}

export function inWords(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return `of ${several(value.length, 'part', 'parts')}`;
  return typeof value === 'object' ? parameters(value) : String(value);
}

// The rules of a table's game, a paragraph a line.
export function showRules(table) {
  by('rules-title').textContent = `Rules: ${table.about ?? table.game}`;
  by('rules-text').replaceChildren(...(table.rules ?? '').split('\n').filter(Boolean).map((text) => make('p', {}, text)));
  by('rules').showModal();
}

// Light or dark: as the system is, or as was chosen here.
export function theme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const name = () => { by('theme-name').textContent = isDark() ? 'light' : 'dark'; };
  const kept = remembered('theme');
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  by('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember('theme', root.dataset.theme);
    name();
  });
  dark.addEventListener('change', name);
  name();
}
