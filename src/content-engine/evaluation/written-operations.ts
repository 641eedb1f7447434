import {
  eachBlock,
  documentOfBlocks,
  plainText,
  withContent,
  type BlockNode,
  type BlockOf,
  type HrefOf,
  type InlineContent,
  type JSONDocument,
} from '../document/index.ts';
import { toMarkdown, verbatimTagOf, type VerbatimTag } from '../markdown/index.ts';
import { partsOf, type JsonObject, type OperationView } from '../openapi/index.ts';

/**
 * Operations that a page describes itself, as older exports do: `{% swagger %}{% swagger-parameter %}…`. The document form
 * has their tags as verbatim blocks, so that nothing of them is lost. Only those who show the page see operations.
 */
export interface WrittenOperation extends BlockOf<'swagger'> {
  readonly view: OperationView;
}

/** What a block shows of itself. */
export const writtenParts = (
  block: BlockNode,
): { readonly spec: string; readonly views: readonly OperationView[] } | undefined =>
  'view' in block ? { spec: '', views: [(block as WrittenOperation).view] } : undefined;

/** `hrefOf`: the addresses of links in descriptions. */
export function withWrittenOperations(document: JSONDocument, hrefOf?: HrefOf): JSONDocument {
  let isNeeded = false;
  eachBlock(document.nodes, (block) => (isNeeded ||= verbatimTagOf(block)?.name === 'swagger'));
  return isNeeded ? { ...document, nodes: replaced(document.nodes, hrefOf) } : document;
}

function replaced(blocks: readonly BlockNode[], hrefOf: HrefOf | undefined): BlockNode[] {
  const shown: BlockNode[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as BlockNode;
    const tag = verbatimTagOf(block);
    const end = tag?.name === 'swagger' ? endOf(blocks, at) : -1;
    const view = tag && end > 0 ? viewOf(tag, blocks.slice(at + 1, end), hrefOf) : undefined;
    if (!tag || !view) {
      shown.push(inside(block, hrefOf));
      continue;
    }
    const { method, path } = view;
    const data = { ref: { kind: 'url' as const, url: view.servers[0]?.url ?? '' }, method, path };
    const operation: WrittenOperation = { object: 'block', type: 'swagger', data, isVoid: true, view };
    shown.push(block.key === undefined ? operation : Object.assign(operation, { key: block.key }));
    at = end;
  }
  return shown;
}

/** The end tag among the blocks that follow, before another start tag; -1 without one. */
function endOf(blocks: readonly BlockNode[], start: number): number {
  for (let at = start + 1; at < blocks.length; at++) {
    const name = verbatimTagOf(blocks[at] as BlockNode)?.name;
    if (name === 'endswagger') return at;
    if (name === 'swagger') return -1;
  }
  return -1;
}

function inside(block: BlockNode, hrefOf: HrefOf | undefined): BlockNode {
  const nodes: readonly (BlockNode | InlineContent)[] = block.nodes ?? [];
  const { fragments } = block;
  if (!fragments && nodes[0]?.object !== 'block') return block;
  return withContent(block, {
    ...(nodes[0]?.object === 'block' && { nodes: replaced(nodes as readonly BlockNode[], hrefOf) }),
    ...(fragments && {
      fragments: fragments.map((one) => ({ ...one, nodes: replaced(one.nodes, hrefOf) })),
    }),
  });
}

/** A tag with the blocks until its end tag. */
interface Section extends VerbatimTag {
  readonly content: BlockNode[];
}

function sectionsOf(blocks: readonly BlockNode[]): Section[] {
  const sections: Section[] = [];
  let current: Section | undefined;
  for (const block of blocks) {
    const tag = verbatimTagOf(block);
    if (tag && /^swagger-(?:description|parameter|response)$/.test(tag.name))
      sections.push((current = { ...tag, content: [] }));
    else if (tag?.name.startsWith('endswagger-')) current = undefined;
    else current?.content.push(block);
  }
  return sections;
}

/** By way of a specification, so that it has the limits and examples of one. */
function viewOf(
  tag: VerbatimTag,
  blocks: readonly BlockNode[],
  hrefOf: HrefOf | undefined,
): OperationView | undefined {
  const sections = sectionsOf(blocks);
  const text = (content: readonly BlockNode[]): string =>
    toMarkdown(documentOfBlocks([...content]), hrefOf ? { hrefOf } : {}).trim();
  const ofName = (name: string) => sections.filter((one) => one.name === `swagger-${name}`);
  const parameters = ofName('parameter').map((one) => parameterOf(one, text(one.content)));
  const isSecret = ({ in: place, name }: JsonObject) =>
    place === 'header' && /^authorization$/i.test(String(name));
  const secrets = parameters.filter(isSecret);
  const url = tag.attributes.get('baseUrl');
  const operation = {
    summary: tag.attributes.get('summary'),
    description: ofName('description')
      .map(({ content }) => text(content))
      .join('\n\n'),
    parameters: parameters.filter((one) => !isSecret(one)),
    requestBody: bodyOf(parameters),
    responses: responsesOf(ofName('response'), text),
    security: secrets.length > 0 ? [{ Authorization: [] }] : [],
  };
  const root = {
    openapi: '3.1.0',
    servers: url ? [{ url }] : [],
    paths: {
      [tag.attributes.get('path') ?? '']: {
        [(tag.attributes.get('method') ?? 'get').toLowerCase()]: operation,
      },
    },
    components: {
      securitySchemes: {
        Authorization: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: secrets[0]?.['description'],
        },
      },
    },
  };
  for (const { view } of partsOf(root)) if (view.kind === 'operation') return view;
  return undefined;
}

const KNOWN_TYPE = /^(?:string|integer|number|boolean|object|array)$/i;

function parameterOf({ attributes }: Section, description: string): JsonObject {
  const type = attributes.get('type') ?? 'string';
  return {
    name: attributes.get('name') ?? '',
    in: attributes.get('in')?.toLowerCase(),
    required: attributes.get('required') === 'true',
    description,
    schema: { type: KNOWN_TYPE.test(type) ? type.toLowerCase() : type },
  };
}

function bodyOf(parameters: readonly JsonObject[]): JsonObject | undefined {
  const fields = parameters.filter(({ in: place }) => place === 'body');
  if (fields.length === 0) return undefined;
  const properties = fields.map(({ name, description, schema }): [string, object] => [
    String(name),
    { ...(schema as object), description },
  ]);
  const required = fields.filter((one) => one['required'] === true).map(({ name }) => name);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return { content: { 'application/json': { schema } } };
}

/** `status="200: OK"`. Its code is an example, and the rest its description. */
function responsesOf(
  sections: readonly Section[],
  text: (content: readonly BlockNode[]) => string,
): JsonObject {
  const responses: JsonObject = {};
  for (const { attributes, content } of sections) {
    const [code = '', ...words] = (attributes.get('status') ?? '').split(':');
    const status = code.trim() || 'default';
    const examples: [string, object][] = [];
    eachBlock(content, (block) => {
      if (block.type === 'code' && !verbatimTagOf(block))
        examples.push([
          String(examples.length + 1),
          { value: valueIn(plainText(documentOfBlocks([block]))) },
        ]);
    });
    const isText = (block: BlockNode) => block.type !== 'code' && block.type !== 'tabs';
    const description = [
      attributes.get('description') || words.join(':').trim(),
      text(content.filter(isText)),
    ].filter(Boolean);
    const media = { examples: Object.fromEntries(examples) };
    const name = Object.hasOwn(responses, status) ? `${status} (${Object.keys(responses).length})` : status;
    responses[name] = {
      description: description.join('\n\n'),
      content: examples.length > 0 ? { 'application/json': media } : {},
    };
  }
  return responses;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trim();
  }
}
