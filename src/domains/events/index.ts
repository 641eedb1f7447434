export { deliver, type EventReader, type ReaderContext } from './deliver.ts';
export { startDelivery } from './delivery-loop.ts';
export type { ChangeRequestStatus, EventName, EventOf, EventPayloads, EventRow } from './schema.ts';
export { insertEvents, recordEvent } from './store.ts';
