import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Such as `^22.13.0` or `>=24`. Not parsed by a package, because none need be installed yet. */
const ranges = engines.node.split(' || ').map((range) => {
  const [major, minor = 0] = range.match(/\d+/g).map(Number);
  return { major, minor, isOpen: range.startsWith('>=') };
});

const isIn = ([major, minor], range) =>
  major === range.major ? minor >= range.minor : range.isOpen && major > range.major;

const describe = ({ major, minor, isOpen }) =>
  isOpen ? `${major} or newer` : `${major}.x from ${major}.${minor}`;

/** Exits with one line if `engines` in package.json does not include this Node. */
export function requireSupportedNode() {
  const present = process.versions.node.split('.').map(Number);
  if (ranges.some((range) => isIn(present, range))) return;
  const needed = ranges.map(describe).join(', ');
  process.stderr.write(`Octavo needs Node.js ${needed}; this is ${process.versions.node}.\n`);
  process.exit(1);
}
