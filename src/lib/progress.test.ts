import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mock, test } from 'node:test'
import { speakFor, speaking } from './progress.mjs'

function listener(isTTY: boolean) {
  const output: string[] = []
  return { output, isTTY, write: (words: string) => output.push(words) }
}

/** Runs with a clock that the test moves, from the moment the listener begins. */
function timed(act: () => void) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  try {
    act()
  } finally {
    mock.timers.reset()
  }
}

test('what is soon over says nothing, and what is over nothing more', () =>
  timed(() => {
    const out = listener(false)
    const progress = speaking(out)
    progress.now('Opening the database')
    mock.timers.tick(1_900)
    progress.done()
    mock.timers.tick(10_000)
    assert.deepEqual(out.output, [])
  }))

test('stages that follow each other are never silent for more than two seconds', () =>
  timed(() => {
    const out = listener(false)
    const progress = speaking(out)
    progress.now('Opening the database')
    mock.timers.tick(1_500)
    let packages = 10
    progress.now(() => `Installing packages, ${packages} of 400`)
    mock.timers.tick(500)
    packages = 120
    mock.timers.tick(1_900)
    progress.done()
    progress.now('Starting')
    mock.timers.tick(100)
    assert.deepEqual(out.output, ['Installing packages, 10 of 400… 1 s\n', 'Starting…\n'])
  }))

test('a process that is too busy to speak is spoken for until it is through', () =>
  timed(() => {
    const out = listener(false)
    const progress = speaking(out)
    const child = new EventEmitter()
    speakFor(child, progress)
    progress.now('Starting')
    mock.timers.tick(2_000)
    child.emit('message', { stage: 'Making the demo world' })
    mock.timers.tick(2_000)
    mock.timers.tick(2_000)
    child.emit('message', { stage: null })
    mock.timers.tick(10_000)
    assert.deepEqual(out.output, [
      'Starting… 2 s\n',
      'Making the demo world… 2 s\n',
      'Making the demo world… 4 s\n',
    ])
  }))

test('a terminal has one line that changes and goes', () =>
  timed(() => {
    const out = listener(true)
    const progress = speaking(out)
    progress.now('Building the screens')
    mock.timers.tick(2_000)
    progress.done()
    assert.deepEqual(out.output, ['\r\u001B[KBuilding the screens… 2 s', '\r\u001B[K'])
  }))
