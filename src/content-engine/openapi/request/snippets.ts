import type { ExampleBody, ExampleRequest } from './request.ts';

/** A request as code in one language. */
export interface Snippet {
  readonly label: string;
  /** The language of the highlighter. */
  readonly language: string;
  readonly source: string;
}

export const snippetsOf = (request: ExampleRequest): Snippet[] => [
  { label: 'cURL', language: 'bash', source: curl(request) },
  { label: 'JavaScript', language: 'javascript', source: javascript(request) },
  { label: 'Python', language: 'python', source: python(request) },
  { label: 'Go', language: 'go', source: go(request) },
];

/** A word of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ method, url, headers, body }: ExampleRequest): string {
  const isDefault = method === 'GET' || (method === 'POST' && body !== undefined);
  const lines = [`curl ${isDefault ? '' : `-X ${method} `}${shell(url)}`];
  for (const [name, value] of headers) lines.push(`-H ${shell(`${name}: ${value}`)}`);
  if (body?.kind === 'text') lines.push(`-d ${shell(body.text)}`);
  const flag = headers.some(isEncodedForm) ? '--data-urlencode' : '-F';
  for (const [name, value] of fieldsOf(body)) lines.push(`${flag} ${shell(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
}

const isEncodedForm = ([name, value]: readonly [string, string]): boolean =>
  name === 'Content-Type' && value.endsWith('urlencoded');

const fieldsOf = (body: ExampleBody | undefined) => (body?.kind === 'form' ? body.fields : []);

/** A string of JavaScript, Python and Go: escapes of JSON mean the same in each. */
const quoted = (text: string): string => JSON.stringify(text);

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** Objects are easier to read than texts with escapes. */
const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && canParse(text);

function canParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function javascript({ method, url, headers, body }: ExampleRequest): string {
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: ${quoted(method)},`);
  if (headers.length > 0)
    options.push(
      `headers: {\n${headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`).join('\n')}\n  },`,
    );
  if (body?.kind === 'text')
    options.push(
      `body: ${isJson(body.text) ? `JSON.stringify(${indented(body.text)})` : quoted(body.text)},`,
    );
  const isEncoded = headers.some(isEncodedForm);
  const form =
    body?.kind === 'form'
      ? `const form = new ${isEncoded ? 'URLSearchParams' : 'FormData'}();\n${body.fields.map(([name, value]) => `form.append(${quoted(name)}, ${quoted(value)});\n`).join('')}\n`
      : '';
  if (form !== '') options.push('body: form,');
  const second = options.length === 0 ? '' : `, {\n  ${options.join('\n  ')}\n}`;
  return `${form}const response = await fetch(${quoted(url)}${second});\nconsole.log(await response.json());`;
}

function python({ method, url, headers, body }: ExampleRequest): string {
  const lines = [quoted(url)];
  if (headers.length > 0)
    lines.push(
      `headers={\n${headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`).join('\n')}\n    }`,
    );
  if (body?.kind === 'text')
    lines.push(
      isJson(body.text)
        ? `json=${pythonOf(body.text).replaceAll('\n', '\n    ')}`
        : `data=${quoted(body.text)}`,
    );
  if (body?.kind === 'form')
    lines.push(
      `data={\n${body.fields.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`).join('\n')}\n    }`,
    );
  const known = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method);
  const call = known ? `requests.${method.toLowerCase()}(` : `requests.request(\n    ${quoted(method)},`;
  return `import requests\n\nresponse = ${call}\n    ${lines.join(',\n    ')},\n)\nprint(response.json())`;
}

/** JSON as a literal of Python. Words outside of strings are its constants. */
const pythonOf = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) =>
    token === 'true' ? 'True' : token === 'false' ? 'False' : token === 'null' ? 'None' : token,
  );

function go({ method, url, headers, body }: ExampleRequest): string {
  const text =
    body?.kind === 'form'
      ? body.fields
          .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
          .join('&')
      : body?.text;
  const raw =
    text !== undefined && !text.includes('`') ? `\`${text}\`` : text === undefined ? undefined : quoted(text);
  const imports = ['fmt', 'io', 'net/http', ...(raw === undefined ? [] : ['strings'])];
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(raw === undefined ? [] : [`\tbody := strings.NewReader(${raw})`]),
    `\treq, _ := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${raw === undefined ? 'nil' : 'body'})`,
    ...headers.map(([name, value]) => `\treq.Header.Set(${quoted(name)}, ${quoted(value)})`),
    '\tres, err := http.DefaultClient.Do(req)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer res.Body.Close()',
    '\ttext, _ := io.ReadAll(res.Body)',
    '\tfmt.Println(string(text))',
    '}',
  ].join('\n');
}
