/** Lets every variant take one turn per round, a different one first each time, so that noise hits all of them alike. */
export async function interleave(variants, rounds, measure) {
  const samples = new Map(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % variants.length;
    for (const variant of [...variants.slice(first), ...variants.slice(0, first)])
      samples.get(variant).push(await measure(variant));
  }
  return samples;
}
