import { checkExpression } from '../../../content-engine/expressions/index.ts';
import { badRequest } from '../../../platform/api/errors.ts';

/** A condition that cannot be parsed would hide the item from everyone, so it is refused: 400, with the position. */
export function requireCondition(condition: string | null | undefined): void {
  const error = condition ? checkExpression(condition) : undefined;
  if (!error) return;
  const at = error.at === undefined ? '' : ` at character ${error.at + 1}`;
  const rule = `must be an expression: ${error.message}${at}`;
  throw badRequest(`body.condition: ${rule}.`, [{ path: 'body.condition', rule }]);
}
