import { readFileSync } from 'node:fs'
import { closeTool, openedTool } from '@headwater/web-kit'
import { expect, test } from 'vitest'
import type { File } from '../contract/index.ts'
import { fileToolOf, openFileTool } from './file-tools.ts'

const actionOf = (fileName: string, canWrite = true) => fileToolOf({ fileName }, canWrite)?.action

test('DP-094 DP-095 only PDF files and images can be previewed; the decision lists the image formats', () => {
  for (const name of ['a.pdf', 'a.PNG', 'a.jpg', 'a.jpeg', 'a.gif', 'a.webp', 'a.svg'])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Preview', 'Preview'])
  for (const name of ['a.md', 'a.py', 'a.json', 'a.txt', 'a'])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Edit', 'View'])
  for (const name of ['a.tiff', 'a.bmp', 'a.ico', 'a.avif', 'a.zip', 'a.docx', 'a.parquet'])
    expect([name, actionOf(name)]).toEqual([name, undefined])
  const decision = readFileSync(
    new URL('../../../docs/decisions/0055-file-tools.md', import.meta.url),
    'utf8',
  )
  expect(decision).toContain('(DP-095).** PNG, JPEG, WebP, GIF, SVG and PDF files have a preview')
})

test('users with write access edit texts, and others view them', () => {
  for (const name of [
    'a.html',
    'a.ftl',
    'a.md',
    'a.py',
    'a.sh',
    'a.json',
    'a.ipynb',
    'a.txt',
    'a.js',
    'a.sql',
  ])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Edit', 'View'])
  for (const name of ['Makefile', '.profile']) expect([name, actionOf(name)]).toEqual([name, 'Edit'])
})

test('DP-086 a text file above 25 MB cannot be opened for editing', () => {
  const open = (size: number) => {
    openFileTool(
      { fid: 'f', fileName: 'a.py', size, latest: true } as File,
      fileToolOf({ fileName: 'a.py' }, true)!,
    )
    const opened = openedTool()
    closeTool()
    return opened
  }
  expect(open(25_000_000)).toMatchObject({ tool: 'code', id: 'f', title: 'a.py', editable: true })
  expect(open(25_000_001)).toBe(undefined)
})
