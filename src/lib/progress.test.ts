import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { speaking } from './progress.mjs'

function listener(isTTY: boolean) {
  const said: string[] = []
  return { said, isTTY, write: (words: string) => said.push(words) }
}

test('nobody who waits hears nothing for three seconds, and what is soon over says nothing', () => {
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
  try {
    const out = listener(false)
    const progress = speaking(out)
    progress.now('Opening the database')
    mock.timers.tick(1_500)
    let packages = 10
    progress.now(() => `Installing packages, ${packages} of 400`)
    mock.timers.tick(2_000)
    packages = 120
    mock.timers.tick(2_000)
    progress.done()
    mock.timers.tick(10_000)
    assert.deepEqual(out.said, [
      'Installing packages, 10 of 400… 2 s\n',
      'Installing packages, 120 of 400… 4 s\n',
    ])
  } finally {
    mock.timers.reset()
  }
})

test('a terminal has one line that changes and goes', () => {
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
  try {
    const out = listener(true)
    const progress = speaking(out)
    progress.now('Building the screens')
    mock.timers.tick(2_000)
    progress.done()
    assert.deepEqual(out.said, ['\r\u001B[KBuilding the screens… 2 s', '\r\u001B[K'])
  } finally {
    mock.timers.reset()
  }
})
