import type { JSONDocument } from '../nodes.ts';
import { eachBlock } from '../walk.ts';

/** The specifications of the organization that blocks show, each by its name or its URL. Files belong to the space. */
export function specsIn({ nodes }: JSONDocument): string[] {
  const specs = new Set<string>();
  eachBlock(nodes, (block) => {
    switch (block.type) {
      case 'openapi-operation':
      case 'openapi-webhook':
      case 'openapi-schemas':
        specs.add(block.data.ref.spec);
        break;
      case 'swagger':
        if (block.data.ref.kind === 'url') specs.add(block.data.ref.url);
    }
  });
  return [...specs];
}
