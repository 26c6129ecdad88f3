/** Remembers the last few; the oldest is forgotten first. */
export class Recent<K, V> extends Map<K, V> {
  readonly size_max: number

  constructor(size_max: number) {
    super()
    this.size_max = size_max
  }

  override set(key: K, value: V) {
    if (!this.has(key) && this.size >= this.size_max) this.delete(this.keys().next().value as K)
    return super.set(key, value)
  }
}
