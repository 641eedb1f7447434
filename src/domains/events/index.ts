export { deliver, type EventReader, type ReaderContext } from './deliver.ts';
export { startDelivery, type Delivery } from './delivery-loop.ts';
export type { EventOf, EventRow } from './schema.ts';
export { deleteReadEvents, insertEvents, recordEvent } from './store.ts';
