import { spawn } from 'node:child_process'
process.on('uncaughtException', (e) => { console.log('UNCAUGHT', e.message); process.exit(9) })
import { openSync } from 'node:fs'
const fds=[]; try { for(;;) fds.push(openSync('/dev/null')) } catch(e){ console.log(e.code, fds.length) }
import { closeSync } from 'node:fs'
for (let i=0;i<8;i++) closeSync(fds.pop())
try {
 const child = spawn('/bin/true', [], { stdio: ['ignore', ...Array.from({length:10},()=> 'pipe')] })
 console.log('stdio', child.stdio === undefined ? 'undefined' : 'there')
 const p = child.stdio[3]
} catch (e) { console.log('caught', e.message) }
await new Promise(r=>setTimeout(r,100)); console.log('alive')
