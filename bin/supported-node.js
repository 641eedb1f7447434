import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Exits with one line if Node is older than `engines` in package.json requires. */
export function requireSupportedNode() {
  const [needed, present] = [engines.node, process.versions.node].map((text) =>
    text.match(/\d+/g).slice(0, 2).map(Number),
  );
  const isOld = present[0] < needed[0] || (present[0] === needed[0] && present[1] < needed[1]);
  if (!isOld) return;
  process.stderr.write(
    `Octavo needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
