export { announce, deleteReadEvents, type EventRow, type NewEvent } from './store.ts';
export { sweep, type EventReader, type ReaderContext } from './sweep.ts';
export { startSweeper, type Sweeper } from './sweeper.ts';
