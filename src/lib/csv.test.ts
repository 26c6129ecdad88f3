import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine, neutral, unmark } from './csv.ts'

test('what a spreadsheet would take for a formula is text, and a negative number is a number', () => {
  for (const formula of ['=1+1', '+1', '@x', '-1+1', '-A1', '-', '-1.2.3', '--1', '\t1', '-1e3'])
    assert.equal(neutral(formula), `'${formula}`)
  for (const formula of ['+49 30 5550 7793+1', '+49*30555077', '+A1 234567', '+ 49305550'])
    assert.equal(neutral(formula), `'${formula}`)
  for (const phone of ['+49 30 5550 7793', '+1 (555) 010-9999', '+493055507793'])
    assert.equal(neutral(phone), phone)
  for (const plain of ['-50000.00', '-1', '12', 'a-b', '']) assert.equal(neutral(plain), plain)
  assert.equal(csvLine(['Ana', '-50000.00', -5, '=x']), "Ana,-50000.00,-5,'=x\r\n")
  assert.equal(unmark(neutral('=x')), '=x')
})
