import { isObject, type JsonObject } from '../parse.ts';
import { contentsOf, headersOf, parametersOf } from './content.ts';
import { compact, entries, list, strings, type Reader } from './reader.ts';
import { securityOf, serversOf } from './security.ts';
import { bodyOfTwo, responseOfTwo } from './version-two.ts';
import type { BodyView, CodeSampleView, OperationView, ResponseView } from './view.ts';

const MAX_RESPONSES = 40;
const MAX_SAMPLES = 12;

/** An operation of a path, or what is sent to a webhook. */
export interface Endpoint {
  readonly kind: OperationView['kind'];
  readonly method: string;
  /** Of a webhook, its name. */
  readonly path: string;
  readonly operation: JsonObject;
  readonly item: JsonObject;
}

export function viewOfOperation(reader: Reader, endpoint: Endpoint): OperationView {
  const { operation, item } = endpoint;
  const isWebhook = endpoint.kind === 'webhook';
  const method = endpoint.method.toUpperCase();
  const path = endpoint.path.slice(0, 1_000);
  const samples = operation['x-codeSamples'] ?? operation['x-code-samples'];
  const setting = (name: string): boolean => (operation[name] ?? reader.root[name]) === true;
  return compact<OperationView>({
    kind: endpoint.kind,
    method,
    path,
    title: reader.line(operation['summary']) ?? reader.line(operation['operationId']) ?? `${method} ${path}`,
    operationId: reader.line(operation['operationId']),
    description: reader.text(operation['description'] ?? item['description']),
    docs: docsOf(reader, operation['externalDocs']),
    tags: strings(operation['tags'])
      .slice(0, 20)
      .flatMap((tag) => reader.line(tag) ?? []),
    deprecated: operation['deprecated'] === true,
    sunset: /^\d{4}-\d{2}-\d{2}/.exec(String(operation['x-deprecated-sunset']))?.[0],
    stability: reader.text(operation['x-stability'], 20),
    servers: isWebhook ? [] : serversOf(reader, operation, item, reader.root),
    security: securityOf(reader, operation),
    parameters: parametersOf(reader, operation['parameters'], item['parameters']),
    body: bodyOf(reader, operation, item, isWebhook ? 'response' : 'request'),
    responses: responsesOf(reader, operation, isWebhook ? 'request' : 'response'),
    samples: samplesOf(reader, samples),
    hidesSamples: samples === false,
    hidesTryIt: isWebhook || setting('x-hideTryItPanel'),
    expandsResponses: setting('x-expandAllResponses'),
    expandsModels: setting('x-expandAllModelSections'),
  });
}

function docsOf(reader: Reader, value: unknown): OperationView['docs'] {
  const { url, description } = isObject(value) ? value : {};
  const shown = reader.line(url);
  return shown === undefined
    ? undefined
    : compact<NonNullable<OperationView['docs']>>({ url: shown, description: reader.line(description) });
}

function bodyOf(
  reader: Reader,
  operation: JsonObject,
  item: JsonObject,
  direction: 'request' | 'response',
): BodyView | undefined {
  const body =
    reader.resolve(operation['requestBody'])?.value ?? bodyOfTwo(reader, operation, item['parameters']);
  if (!body) return undefined;
  const contents = contentsOf(reader, body['content'], direction);
  if (contents.length === 0) return undefined;
  return compact<BodyView>({
    required: body['required'] === true,
    description: reader.text(body['description']),
    contents,
  });
}

function responsesOf(
  reader: Reader,
  operation: JsonObject,
  direction: 'request' | 'response',
): ResponseView[] {
  return entries(operation['responses'])
    .filter(([status]) => !status.startsWith('x-'))
    .slice(0, MAX_RESPONSES)
    .map(([status, value]) => {
      const response = responseOfTwo(reader, operation, reader.object(value));
      return compact<ResponseView>({
        status: status.slice(0, 20),
        description: reader.text(response['description']),
        headers: headersOf(reader, response['headers']),
        contents: contentsOf(reader, response['content'], direction),
        hidesSample: response['x-hideSample'] === true,
      });
    });
}

const samplesOf = (reader: Reader, samples: unknown): CodeSampleView[] =>
  list(samples)
    .slice(0, MAX_SAMPLES)
    .flatMap((sample) => {
      const { lang, label, source } = isObject(sample) ? sample : {};
      const text = reader.text(source, 10_000);
      const language = reader.text(lang, 40) ?? '';
      return text === undefined
        ? []
        : [{ label: reader.text(label, 60) ?? (language || 'Code'), language, source: text }];
    });
