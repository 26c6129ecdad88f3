// A cluster that fails over, truly run: while people claim, its parts are broken one after the other. Whatever was
// acknowledged is there once, nothing is there twice, nobody restarts a server, and writes are back within half a minute.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ClusterMember, ClusterNode } from '#commands/cluster/databases.server.ts'
import { findPrograms, type ClusterPrograms } from '#commands/cluster/programs.server.ts'
import { until } from '../until.ts'
import * as faults from './faults.ts'
import { openCluster, type ClusterStage } from './stage.ts'

const back_within_ms = 30_000
/** So many acts are acknowledged before a fault counts as over. */
const enough = 12

const programs = await findPrograms()
if (typeof programs === 'string') console.log(`NOT PLAYED, no cluster: ${programs}`)
else describe('a cluster that fails over', { timeout: 300_000 }, () => played(programs))

function played(programs: ClusterPrograms) {
  let stage: ClusterStage
  const measured: string[] = []
  before(async () => (stage = await openCluster(programs)))
  after(async () => {
    console.log(`\nNo write was acknowledged for\n${measured.join('\n')}`)
    await stage.close()
  })

  const nodeOf = async (role: ClusterMember['role']): Promise<ClusterNode> => {
    const members = await stage.databases.whole()
    const { name } = members.find((member) => member.role === role)!
    return stage.databases.nodes.find((node) => node.name === name)!
  }

  /** The fault, until acts are acknowledged that were asked for after it; then the way back, and whether all is true. */
  async function survives(what: string, fault: () => Promise<unknown>, back?: () => unknown) {
    const { load } = stage
    await stage.databases.whole()
    const since = performance.now()
    await fault()
    const done = performance.now()
    await until(() => {
      if (load.fault) throw load.fault
      return load.answeredSince(done) >= enough
    }, `writes after: ${what}`)
    const away_ms = load.away_ms(since)
    measured.push(`${(away_ms / 1000).toFixed(1).padStart(5)} s  ${what}`)
    await back?.()
    const checks = [stage.screensHear(), stage.sealsGrow(), stage.ask(stage.inOrder)]
    await Promise.all([...checks, stage.databases.whole()])
    stage.sameProcesses()
    assert.ok(away_ms < back_within_ms, `writes were away for ${away_ms} ms`)
  }

  test('its primary dies, with the Patroni beside it', async () => {
    const node = await nodeOf('leader')
    const back = () => node.patroni.start()
    await survives('the primary died', () => faults.killNode(node), back)
  })

  test('its primary is cut off, and comes back as if it still were one', async () => {
    const node = await nodeOf('leader')
    let resolveHeard = () => {}
    const cut = async () => (resolveHeard = await faults.silence(node))
    await survives('the primary was cut off', cut, () => resolveHeard())
  })

  test('it is switched over on purpose', async () => {
    await survives('a switchover', () => faults.switchOver(stage.databases))
  })

  test('the etcd that leads dies', async () => {
    const leader = () => faults.etcdLeader(stage.databases)
    const etcd = stage.databases.etcd[await until(leader, 'an etcd that leads')]
    const lost = async () => {
      await etcd.kill()
      await until(leader, 'another etcd that leads')
    }
    await survives('the etcd that led died', lost, () => etcd.start())
  })

  test('the standby dies that confirms what is written', async () => {
    const node = await nodeOf('sync_standby')
    const back = () => node.patroni.start()
    await survives('the standby that confirms died', () => faults.killNode(node), back)
  })

  const why_not = faults.whyNoDisk()
  if (why_not) console.log(`NOT PLAYED on a full disk: ${why_not}`)
  else
    test('the disk of its primary is full', async () => {
      const node = await nodeOf('leader')
      const { databases } = stage
      // A full primary may write what still fits, and ends its connections when it hands over.
      const filled = async () => {
        await faults.fillDisk(node)
        const leads = ({ name, role }: ClusterMember) => role === 'leader' && name !== node.name
        await until(async () => (await databases.members()).some(leads), 'another primary')
      }
      await survives('the disk of the primary was full', filled, () => faults.makeRoom(node))
    })

  test('and at the end it is whole, and everything acknowledged is there', async () => {
    await stage.databases.whole()
    const { load } = stage
    await load.end()
    await stage.ask(stage.inOrder)
    const met = [...load.met].map(([code, times]) => `${code} ${times} times`).join(', ')
    console.log(
      `${load.submitted.size} claims, ${load.approved.size} approved; told to try again: ${met}; ` +
        `longest answer ${Math.round(load.longest_ms)} ms`,
    )
  })
}
