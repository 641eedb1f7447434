/** Counts the turns of the event loop until `end`. */
export function countTurns() {
  const turns = { count: 0, end: () => clearImmediate(next) };
  const countOne = (): void => {
    turns.count++;
    next = setImmediate(countOne);
  };
  let next = setImmediate(countOne);
  return turns;
}
