import { test } from 'node:test'
import postgres from 'postgres'
import { spawn } from 'node:child_process'
import { startEmbedded } from '#lib/embedded.server.ts'
test('x', async () => { 
const s = await startEmbedded({folder:'.data/test', durable:false});
const sql = postgres(s.url,{max:1,onnotice(){}}); const [{datname}] = await sql`select datname from pg_database where datname like 'template_h%'`; const [{pid}] = await sql`select pg_backend_pid() pid`
const p = spawn('perf',['record','-g','-p',String(pid),'-o','/tmp/perf.data'],{stdio:'inherit'}); await new Promise(r=>setTimeout(r,700))
for (const strategy of ['wal_log']) {  const t=performance.now(); await sql.unsafe(`create database zz template ${datname} strategy ${strategy}`);
console.log(strategy, Math.round(performance.now()-t)); }
p.kill('SIGINT'); await new Promise(r=>setTimeout(r,1000)); await sql`drop database zz with (force)`
await sql.end();  await s.stop() })
