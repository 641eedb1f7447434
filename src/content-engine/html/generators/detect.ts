import { attribute, classesOf, eachNode, find, findAll, isElement, type Document } from '../dom.ts';
import type { Generator } from '../types.ts';
import type { GeneratorHints, Signature } from './hints.ts';
import { SERVICES } from './services.ts';
import { STATIC_SITES } from './static-sites.ts';
import { WIKIS } from './wikis.ts';

/** The hints for pages of other programs. */
const UNKNOWN: GeneratorHints = { generator: 'unknown', signatures: [], main: [], drop: [], navigation: [] };

const ALL: readonly GeneratorHints[] = [...STATIC_SITES, ...SERVICES, ...WIKIS];

/** The hints of the named generator, or of the one that made the page. */
export function hintsFor(document: Document, named: Generator | undefined): GeneratorHints {
  if (named !== undefined && named !== 'unknown')
    return ALL.find(({ generator }) => generator === named) ?? UNKNOWN;
  // Most generators name themselves, so that the page need not be read.
  const meta = generatorIn(document);
  const byName = ALL.find(({ signatures }) =>
    signatures.some((one) => one.meta !== undefined && meta.includes(one.meta)),
  );
  if (byName) return byName;
  const traits = traitsOf(document);
  return ALL.find(({ signatures }) => signatures.some((signature) => holds(signature, traits))) ?? UNKNOWN;
}

/** The content of `<meta name=generator>`, in lower case. */
function generatorIn(document: Document): string {
  const head = find(document, ({ tagName }) => tagName === 'head');
  if (!head) return '';
  return findAll(head, ({ tagName }) => tagName === 'meta')
    .filter((meta) => attribute(meta, 'name')?.toLowerCase() === 'generator')
    .map((meta) => attribute(meta, 'content')?.toLowerCase() ?? '')
    .join(' ');
}

interface Traits {
  readonly ids: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  readonly resources: readonly string[];
}

/** Collects in one pass the traits that signatures ask for. */
function traitsOf(document: Document): Traits {
  const ids = new Set<string>();
  const classes = new Set<string>();
  const resources: string[] = [];
  eachNode(document, (node) => {
    if (!isElement(node)) return;
    const id = attribute(node, 'id');
    if (id !== undefined) ids.add(id);
    for (const name of classesOf(node)) classes.add(name);
    if (node.tagName === 'link' || node.tagName === 'script')
      resources.push(attribute(node, 'href') ?? attribute(node, 'src') ?? '');
  });
  return { ids, classes, resources };
}

const holds = ({ meta, id, className, resource }: Signature, traits: Traits): boolean =>
  meta === undefined &&
  (id === undefined || traits.ids.has(id)) &&
  (className === undefined || traits.classes.has(className)) &&
  (resource === undefined || traits.resources.some((one) => one.includes(resource)));
