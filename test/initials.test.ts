// The one or two characters that stand for a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialsOf } from '#ui/initials.ts'

test('initials are whole characters, whatever the name is written with', () => {
  assert.equal(initialsOf('Ana Costa'), 'AC')
  assert.equal(initialsOf('Zoë'), 'ZO')
  assert.equal(initialsOf('👩‍⚕️ Gül'), '👩‍⚕️G')
  assert.equal(initialsOf('Z\u006f\u0308e'), 'ZÖ'.normalize('NFD'))
  assert.equal(initialsOf(''), '')
})
