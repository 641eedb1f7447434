import type { ErrorDetail } from '../errors.ts';

/** What a validator says of one thing that is wrong. */
export interface ValidationError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

const MAX_DETAILS = 20;

/** What to tell a person of all that is wrong. */
export function detailsOf(errors: readonly ValidationError[], place: string): ErrorDetail[] {
  const unions = errors
    .filter((error) => error.keyword === 'anyOf')
    .map((union) => ({ union, meant: formMeant(union, errors) }));
  const isWorthSaying = (error: ValidationError) =>
    unions.every(({ union, meant }) => {
      if (union === error) return meant === undefined;
      const form = formOf(union, error);
      return form === undefined || form === meant;
    });
  const details: ErrorDetail[] = [];
  for (const error of errors) {
    if (!isWorthSaying(error)) continue;
    details.push({ path: place + error.instancePath.replaceAll('/', '.'), rule: ruleOf(error) });
    if (details.length === MAX_DETAILS) break;
  }
  return details;
}

/** Which alternative of an `anyOf` an error comes from. */
function formOf(union: ValidationError, { schemaPath, instancePath }: ValidationError): string | undefined {
  const isInside =
    schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
    (instancePath === union.instancePath || instancePath.startsWith(`${union.instancePath}/`));
  return isInside ? schemaPath.slice(union.schemaPath.length + 7).split('/', 1)[0] : undefined;
}

/**
 * The alternatives of an `anyOf` each complain. Where a constant (`operation`, `kind`) tells which one was meant, it is
 * the one to hear; otherwise together they only say that none fits.
 */
function formMeant(union: ValidationError, errors: readonly ValidationError[]): string | undefined {
  const forms = new Set<string>();
  const others = new Set<string>();
  for (const error of errors) {
    const form = formOf(union, error);
    if (form === undefined) continue;
    forms.add(form);
    const isDirect = !error.instancePath.slice(union.instancePath.length + 1).includes('/');
    if (error.keyword === 'const' && isDirect) others.add(form);
  }
  const left = [...forms].filter((form) => !others.has(form));
  return others.size > 0 && left.length === 1 ? left[0] : undefined;
}

function ruleOf({ keyword, message, params }: ValidationError): string {
  if (keyword === 'enum' && 'allowedValues' in params)
    return `must be one of ${JSON.stringify(params.allowedValues)}`;
  if (keyword === 'required' && 'requiredProperties' in params) {
    return `must have ${(params.requiredProperties as string[]).join(', ')}`;
  }
  if (keyword === 'anyOf') return 'must be one of the forms that the reference shows';
  return message;
}
