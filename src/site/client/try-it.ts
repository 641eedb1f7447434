/** The form that sends a request of an API reference: from this browser to the API, and nowhere else. */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly example?: string;
}

interface Scheme {
  readonly name: string;
  readonly type: string;
  readonly in?: string;
  readonly key?: string;
  readonly scheme?: string;
  readonly prefix?: string;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly servers: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly security: readonly Scheme[];
  readonly body?: { readonly type: string; readonly text: string };
  readonly words: {
    readonly send: string;
    readonly server: string;
    readonly body: string;
    readonly failed: string;
  };
}

/** Longer responses are cut: a text of megabytes would stop the page. */
const MAX_SHOWN = 200_000;

/** By name of the scheme, so that they are typed once. Only in memory: they end with the page. */
const credentials = new Map<string, string>();

document.addEventListener('octavo-try', ({ target }) => {
  const button = target as HTMLButtonElement;
  const line = button.closest('.api-path');
  const open = line?.nextElementSibling;
  if (open instanceof HTMLFormElement) return open.remove();
  const form = formOf(JSON.parse(button.dataset['try'] ?? '') as Operation);
  line?.after(form);
  form.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
});

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function labelled<Field extends HTMLElement>(form: HTMLElement, title: string, field: Field): Field {
  form.append(make('label', {}, make('span', { textContent: title }), field));
  return field;
}

function formOf(operation: Operation): HTMLFormElement {
  const { words } = operation;
  const form = make('form', { className: 'try' });
  const server = make(
    'select',
    {},
    ...operation.servers.map((url) => make('option', { value: url, textContent: url })),
  );
  if (operation.servers.length > 1) labelled(form, words.server, server);
  const secrets = operation.security.map((scheme) => {
    const field = make('input', {
      type: 'password',
      autocomplete: 'off',
      value: credentials.get(scheme.name) ?? '',
      placeholder: scheme.scheme === 'basic' ? 'user:password' : '',
    });
    field.addEventListener('input', () => credentials.set(scheme.name, field.value));
    return { scheme, field: labelled(form, scheme.key ?? scheme.name, field) };
  });
  const parameters = operation.parameters.map((parameter) => {
    const value = parameter.required ? (parameter.example ?? '') : '';
    const field = make('input', {
      value,
      required: parameter.required === true,
      placeholder: parameter.example ?? '',
    });
    return { parameter, field: labelled(form, parameter.name, field) };
  });
  const { body } = operation;
  const text = make('textarea', { value: body?.text ?? '', rows: 8, spellcheck: false });
  if (body) labelled(form, `${words.body} · ${body.type}`, text);
  const send = make('button', { className: 'button primary small', textContent: words.send });
  const output = make('div', { className: 'answer' });
  output.setAttribute('role', 'status');
  form.append(send, output);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const headers = new Headers();
    const url = new URL(server.value + pathOf(operation.path, parameters));
    for (const { parameter, field } of parameters) {
      if (field.value === '') continue;
      if (parameter.in === 'query') url.searchParams.append(parameter.name, field.value);
      if (parameter.in === 'header') headers.set(parameter.name, field.value);
    }
    for (const { scheme, field } of secrets)
      if (field.value !== '') authorise(scheme, field.value, url, headers);
    const hasBody = body !== undefined && text.value !== '' && !/^(GET|HEAD)$/.test(operation.method);
    if (hasBody) headers.set('content-type', body.type);
    send.disabled = true;
    void request(url, operation, headers, hasBody ? text.value : undefined)
      .then((shown) => output.replaceChildren(...shown))
      .finally(() => (send.disabled = false));
  });
  return form;
}

const pathOf = (
  path: string,
  parameters: readonly { parameter: Parameter; field: HTMLInputElement }[],
): string =>
  parameters.reduce(
    (text, { parameter, field }) =>
      parameter.in === 'path'
        ? text.replaceAll(`{${parameter.name}}`, encodeURIComponent(field.value))
        : text,
    path,
  );

function authorise(scheme: Scheme, value: string, url: URL, headers: Headers): void {
  const key = scheme.key ?? 'Authorization';
  if (scheme.type === 'apiKey' && scheme.in === 'query') url.searchParams.set(key, value);
  else if (scheme.type === 'apiKey')
    headers.set(key, scheme.prefix === undefined ? value : `${scheme.prefix} ${value}`);
  else if (scheme.scheme === 'basic')
    headers.set('Authorization', `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`);
  else headers.set('Authorization', `${scheme.prefix ?? 'Bearer'} ${value}`);
}

/** The response as elements. Its text is never markup. */
async function request(
  url: URL,
  { method, words }: Operation,
  headers: Headers,
  body?: string,
): Promise<Node[]> {
  const begun = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    const text = await response.text();
    const status = `${response.status} ${response.statusText} · ${Math.round(performance.now() - begun)} ms`;
    return [
      make('p', {}, make('strong', { textContent: status })),
      make(
        'pre',
        { className: 'tall', tabIndex: 0 },
        make('code', { textContent: pretty(text).slice(0, MAX_SHOWN) }),
      ),
    ];
  } catch {
    return [make('p', { textContent: words.failed })];
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
