import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { named, nullable, Uri } from '../../platform/api/schema.ts';
import { siteSpaces } from '../sites/index.ts';

const Backend = Type.Enum(['custom', 'integration'], {
  description: 'What signs visitors in: a server of yours, or an integration',
});

export const PublishingAuth = named('SitePublishingAuth', {
  object: Type.Literal('publishing-auth'),
  privateKey: Type.String({
    description: 'Key that the JWTs of visitors are signed with (HS256). Its UTF-8 bytes are the secret',
  }),
  backend: Backend,
  fallbackURL: Type.Optional(Type.String({ format: 'uri' })),
});

export const PublishingAuthPatch = Type.Object({
  backend: Backend,
  fallbackURL: Type.Optional(
    nullable(
      Type.String({
        format: 'uri',
        maxLength: 2048,
        pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]',
        description: 'Where visitors without a valid token are sent. `null` removes it',
      }),
    ),
  ),
});

export const PreviewQuery = Type.Object({
  siteSpace: Type.Optional({
    ...idOf(siteSpaces, 'view'),
    description: 'Site space id. Default: the default site space',
  }),
  claims: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Claims of the visitor to preview the site as, in Rison: `(plan:pro,unsigned:(beta:!t))`',
      examples: ['(plan:pro,unsigned:(beta:!t))'],
    }),
  ),
});

export const Preview = Type.Object({ url: Uri });
