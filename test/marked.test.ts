import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedParts } from '#ui/marked.ts'

const marked = (text: string, typed: string) =>
  markedParts(text, typed)
    .map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('')

test('what was typed is marked where it stands, whatever its case, accents and order', () => {
  assert.equal(marked('Claim #17', '17'), 'Claim #[17]')
  assert.equal(marked('José Núñez · Clínica', 'nunez JOSE'), '[José] [Núñez] · Clínica')
  assert.equal(marked('Anna', 'nn na'), 'A[nna]')
  assert.equal(marked('😀 Clinic', 'clinic'), '😀 [Clinic]')
  assert.equal(marked('Harbour Clinic', ''), 'Harbour Clinic')
  assert.equal(marked('Harbour Clinic', 'x'), 'Harbour Clinic')
  assert.equal(marked('Klinik Straße · Łódź', 'STRASSE lodz'), 'Klinik [Straße] · [Łódź]')
  assert.equal(marked('Strasse · Sørensen', 'straße sorensen'), '[Strasse] · [Sørensen]')
})
