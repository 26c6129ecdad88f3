// One cluster in a folder at a time. What a cluster that was killed has left running is ended first.
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import path from 'node:path'
import { commandOf } from '#lib/processes.server.ts'
import { mark, placesIn } from './places.server.ts'

const runs = /cluster\.server\.ts/

/** Answers what to call at the end. */
export async function claimFolder(folder: string): Promise<() => Promise<void>> {
  await placesIn(folder)
  const file = path.join(folder, 'pid')
  const pid = Number(await readFile(file, 'utf8').catch(() => ''))
  if (pid && runs.test(await commandOf(pid)))
    throw new Error(`A cluster runs in ${folder} already (process ${pid}).`)
  await endLeftOvers(folder)
  await writeFile(file, String(process.pid))
  return () => rm(file)
}

/** Ends processes that were started for this folder, by their environment or command line. */
async function endLeftOvers(folder: string) {
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!pid || pid === process.pid || !(await isOf(folder, pid))) continue
    process.kill(pid, 'SIGKILL')
    while ((await commandOf(pid)) !== '') await pause(20)
  }
}

async function isOf(folder: string, pid: number): Promise<boolean> {
  const settings = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  if (settings.split('\0').includes(`${mark}=${folder}`)) return true
  const words = (await commandOf(pid)).split('\0')
  return words.some((word) => word.startsWith(`${folder}/`))
}
