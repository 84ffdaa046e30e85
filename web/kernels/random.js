// Random numbers by keys.

// The key of the index-th random choice under a key.
export function derive(kernels, key, index) {
  return kernels.scope(() => {
    const derived = kernels.array("uint64", 1);
    kernels.call("any", "derive_keys", kernels.arrayOf("uint64", [key]), kernels.arrayOf("int64", [BigInt(index)]), derived);
    return derived.data[0];
  });
}

// A number from 0 on, below 1, by a key.
export function uniform(key) {
  return Number(key >> 11n) * 2 ** -53;
}

// A number from 0 to bound - 1.
export function below(key, bound) {
  return Number(((key >> 32n) * BigInt(bound)) >> 32n);
}
