import { computedTitle } from '../../../content-engine/computed/index.ts';
import type { Change as EngineChange } from '../../../content-engine/tree/index.ts';
import { newId } from '../../../platform/api/ids.ts';
import type { BatchContext } from './batch-context.ts';
import type { Change } from './batch.ts';
import { revertPage } from './revert-page.ts';
import { SentBodies, type ChangeWarning, type Head } from './sent-bodies.ts';
import { readSentPage, readSentReusableContent } from './source-file.ts';

/** The changes of a batch as the engine applies them: bodies are hashes of texts, files are stored. */
export interface EngineChanges {
  readonly changes: readonly EngineChange[];
  readonly warnings: readonly ChangeWarning[];
  readonly heads: ReadonlyMap<string, Head>;
}

export async function toEngineChanges(
  context: BatchContext,
  changes: readonly Change[],
): Promise<EngineChanges> {
  const bodies = new SentBodies(context, changes);
  const refs = new Map<string, string>();
  const idOf = (name: string): string => refs.get(name) ?? name;
  let filesUsed = 0;

  async function toEngineChange(index: number, change: Change): Promise<EngineChange> {
    switch (change.operation) {
      case 'insert_page': {
        const { document, ...fields } = change;
        const id = newId();
        const isDocument = (change.type ?? 'document') === 'document';
        const read = isDocument
          ? await bodies.readNew(index, id, document, readSentPage)
          : document
            ? { document: '' }
            : {};
        if (change.ref !== undefined) refs.set(change.ref, id);
        const title = change.title ?? (change.computed && computedTitle(change.computed));
        return { ...fields, ...(title === undefined ? {} : { title }), ...read, id } as EngineChange;
      }
      case 'update_page': {
        const { document, ifMatch: _ifMatch, ...fields } = change;
        const read = document ? await bodies.readForPage(index, idOf(change.page), document) : {};
        return { ...fields, ...read } as EngineChange;
      }
      case 'update_reusable_content': {
        const { document, ifMatch: _ifMatch, ...fields } = change;
        const id = idOf(change.reusableContent);
        const read = document ? await bodies.readForReusableContent(index, id, document) : {};
        return { ...fields, ...read } as EngineChange;
      }
      case 'insert_reusable_content': {
        const { document, ...fields } = change;
        const id = newId();
        const read = await bodies.readNew(index, id, document, readSentReusableContent);
        if (change.ref !== undefined) refs.set(change.ref, id);
        return { title: 'Untitled', ...read, ...fields, id } as EngineChange;
      }
      case 'insert_files':
        return {
          operation: change.operation,
          files: change.files.map(({ name, ref }) => {
            const stored = context.files[filesUsed++];
            if (!stored) throw new Error('a file of the batch was not stored beforehand');
            return { id: newId(), name, ...stored, ...(ref === undefined ? {} : { ref }) };
          }),
        };
      case 'revert_page':
        return revertPage(context, bodies, index, change);
      default: {
        const { ifMatch: _ifMatch, ...rest } = change as Change & { ifMatch?: string };
        return rest as EngineChange;
      }
    }
  }

  const engineChanges: EngineChange[] = [];
  for (const [index, change] of changes.entries()) engineChanges.push(await toEngineChange(index, change));
  return { changes: engineChanges, warnings: bodies.warnings, heads: bodies.heads };
}
