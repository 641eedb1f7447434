export { flushInsights, startFlushing } from './flush.ts';
export { RATINGS } from './schema.ts';
export { InsightsBuffer, recordFeedback, recordSearch, recordView } from './record.ts';
