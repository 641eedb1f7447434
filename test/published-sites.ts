import type { Answer, TestApp } from './app.ts';
import { placesOf } from './places.ts';
import type { Side } from './world.ts';

/** Helpers for the sites of an organization. */
export type PublishedSites = ReturnType<typeof publishedSitesOf>;

export function publishedSitesOf(app: TestApp, side: Side) {
  const places = placesOf(app, side);
  const { call, organization } = places;

  async function created(answer: Promise<Answer>): Promise<Answer['body']> {
    const { status, body, text } = await answer;
    if (status !== 201) throw new Error(`not created: ${status} ${text}`);
    return body;
  }

  /** Its path. */
  const aSite = async (input: object = { title: 'Handbook' }): Promise<string> =>
    `${organization}/sites/${(await created(call('POST', `${organization}/sites`, input))).id}`;
  const addSection = async (site: string, title: string, spaceId?: string) =>
    created(
      call('POST', `${site}/sections`, {
        title,
        spaceId: spaceId ?? (await places.aSpace(undefined, title)),
      }),
    );
  const addSiteSpace = async (site: string, title: string, sectionId?: string) =>
    created(
      call('POST', `${site}/site-spaces`, {
        spaceId: await places.aSpace(undefined, title),
        ...(sectionId ? { sectionId } : {}),
      }),
    );
  const addGroup = (site: string, title: string, input: object = {}) =>
    created(call('POST', `${site}/section-groups`, { title, ...input }));

  interface Node {
    readonly title: string;
    readonly default?: boolean;
    readonly children?: readonly Node[];
    readonly siteSpaces?: readonly Node[];
  }
  const outline = ({ title, default: isDefault, children, siteSpaces }: Node): string => {
    const inner = (children ?? siteSpaces ?? []).map(outline).join(' ');
    return `${title}${isDefault ? '*' : ''}${inner || children ? `(${inner})` : ''}`;
  };
  /** The structure as text: `*` marks defaults, parentheses what an item contains. */
  const structure = async (site: string, token?: string): Promise<string> =>
    (await places.get(`${site}/structure`, token)).body.structure.map(outline).join(' ');

  const sort = (site: string, item: Pointed, position: { before?: Pointed; after?: Pointed } = {}) =>
    call('PATCH', `${site}/structure/sort`, {
      item: pointerTo(item),
      position: {
        ...(position.before ? { before: pointerTo(position.before) } : {}),
        ...(position.after ? { after: pointerTo(position.after) } : {}),
      },
    });

  return { ...places, created, aSite, addSection, addSiteSpace, addGroup, structure, sort };
}

interface Pointed {
  readonly object: string;
  readonly id: string;
}

const pointerTo = ({ object, id }: Pointed) => ({ type: object, id });
