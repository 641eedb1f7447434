import { isObject, type JsonObject } from '../parse.ts';
import { compact, entries, list, type Reader } from './reader.ts';
import { exampleText, PLAIN_TEXT, sampleOf, type Direction } from './sample.ts';
import { viewOfSchema } from './schema.ts';
import type { ContentView, ExampleView, HeaderView, ParameterPlace, ParameterView } from './view.ts';

const MAX_CONTENTS = 6;
const MAX_EXAMPLES = 10;
const MAX_PARAMETERS = 200;

/** The media types of a body or response. */
export function contentsOf(reader: Reader, content: unknown, direction: Direction): ContentView[] {
  return entries(content)
    .slice(0, MAX_CONTENTS)
    .map(([name, value]) => {
      const media = reader.object(value);
      const mediaType = reader.line(name) ?? 'application/json';
      return compact<ContentView>({
        mediaType,
        schema: media['schema'] === undefined ? undefined : viewOfSchema(reader, media['schema'], direction),
        examples: examplesOf(reader, media, mediaType, direction),
      });
    });
}

/** Those that are given, else one that the schema allows. */
function examplesOf(
  reader: Reader,
  media: JsonObject,
  mediaType: string,
  direction: Direction,
): ExampleView[] {
  const given: ExampleView[] = [];
  const add = (name: string, value: unknown): void => {
    const text = reader.text(exampleText(value));
    if (text !== undefined) given.push({ name, text });
  };
  for (const [name, example] of entries(media['examples']).slice(0, MAX_EXAMPLES)) {
    const { value, summary, externalValue } = reader.object(example);
    add(reader.line(summary) ?? reader.line(name) ?? '', value ?? externalValue);
  }
  if (media['example'] !== undefined) add('', media['example']);
  if (given.length === 0 && isObject(media['schema']) && !isXml(mediaType))
    add('', sampleOf(reader, media['schema'], direction));
  return given;
}

const isXml = (mediaType: string): boolean => /[/+]xml\b/.test(mediaType);

const PLACES: ReadonlySet<unknown> = new Set([
  'path',
  'query',
  'header',
  'cookie',
] satisfies ParameterPlace[]);
/** The specification ignores parameters of these names: they are described by other fields. */
const IGNORED_HEADERS = /^(accept|content-type|authorization)$/i;

/** The parameters of an operation, which replace those of its path that have the same name and place. */
export function parametersOf(reader: Reader, own: unknown, ofPath: unknown): ParameterView[] {
  const byName = new Map<string, JsonObject>();
  for (const one of [...list(ofPath), ...list(own)].slice(0, 2 * MAX_PARAMETERS)) {
    const parameter = reader.object(one);
    const { in: place, name } = parameter;
    if (typeof name !== 'string' || !PLACES.has(place)) continue;
    if (place === 'header' && IGNORED_HEADERS.test(name)) continue;
    byName.set(`${String(place)} ${name}`, parameter);
  }
  return [...byName.values()].slice(0, MAX_PARAMETERS).map((parameter) => parameterOf(reader, parameter));
}

function parameterOf(reader: Reader, parameter: JsonObject): ParameterView {
  const schema = schemaOf(parameter);
  const example = parameter['example'] ?? firstValue(reader, parameter['examples']);
  return compact<ParameterView>({
    name: reader.line(parameter['name']) ?? '',
    in: parameter['in'] as ParameterPlace,
    required: parameter['required'] === true || parameter['in'] === 'path',
    deprecated: parameter['deprecated'] === true,
    description: reader.text(parameter['description']),
    schema: viewOfSchema(reader, schema),
    example: reader.text(inText(example ?? knownSample(reader, schema)), 500),
  });
}

/** A text that says nothing is no example: readers see the name of the parameter instead. */
function knownSample(reader: Reader, schema: unknown): unknown {
  const sample = sampleOf(reader, schema, 'request');
  return sample === PLAIN_TEXT ? undefined : sample;
}

const firstValue = (reader: Reader, examples: unknown): unknown => {
  const [first] = entries(examples);
  return first && reader.object(first[1])['value'];
};

/** As it is written in a URL. */
function inText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(inText).join(',');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : exampleText(value);
}

/** In 2.0, and in `content` of 3.x, the schema is elsewhere. */
function schemaOf(parameter: JsonObject): unknown {
  if (parameter['schema'] !== undefined) return parameter['schema'];
  const [content] = entries(parameter['content']);
  if (content && isObject(content[1])) return content[1]['schema'];
  const { name: _, in: __, description: ___, required: ____, ...schema } = parameter;
  return schema;
}

export const headersOf = (reader: Reader, headers: unknown): HeaderView[] =>
  entries(headers)
    .slice(0, MAX_PARAMETERS)
    .map(([name, value]) => {
      const header = reader.object(value);
      return compact<HeaderView>({
        name: reader.line(name) ?? '',
        required: header['required'] === true,
        description: reader.text(header['description']),
        schema: viewOfSchema(reader, schemaOf(header)),
      });
    });
