export { announce, deleteReadEvents, type EventRow, type NewEvent } from './store.ts';
export { sweep, type EventReader, type ReaderContext } from './deliver.ts';
export { startSweeper, type Sweeper } from './delivery-loop.ts';
