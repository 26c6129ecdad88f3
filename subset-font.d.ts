// The package has no types; those of DefinitelyTyped lack what keeps letters and chooses styles.
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: '',
    options: {
      targetFormat: 'woff2'
      keepAllGlyphs: true
      keepFeatures: string[]
      variationAxes: Record<string, { min: number; max: number }>
    },
  ): Promise<Uint8Array>
}
