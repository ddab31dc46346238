import type { Palette } from './chart-spec.ts'

const THEME_SERIES = [
  '2b7bba,5aa6df',
  'd9702c,f0935a',
  '2f8f6b,57be97',
  'b8456a,e47b9c',
  '6d5bb8,a294e8',
  'a67c17,d9b14c',
  '2f95a8,62c5d6',
  '7c6352,b89c8a',
]

const COLORS: Record<Palette, readonly string[]> = {
  COLORFUL_2: THEME_SERIES.map((pair, i) => `var(--series-${i + 1}, ${lightDark(pair)})`),
  COLORFUL_1: [
    '1c7c8c,4fc3d4',
    'c2408e,ec86c2',
    '5b8c1a,a3d15c',
    'd2502f,f58a6d',
    '3d5cc9,8ea4f7',
    'b07a00,e6b93f',
    '7b4bb3,be97ee',
    '50646f,9fb4bf',
  ].map(lightDark),
  BLUE: [
    '0f4c81,8cc4f0',
    '3f8fd0,4c97d6',
    '5d99c9,2f76b5',
    '23699f,b5daf7',
    '5c86ab,7f9fbd',
    '818da2,39699f',
  ].map(lightDark),
  GREEN: [
    '14633f,8fdcb4',
    '3a9a68,4fb585',
    '57a27e,348f63',
    '237b52,b9ecd1',
    '5f8f76,86ad99',
    '6c9360,2d7557',
  ].map(lightDark),
  RED: [
    '8f1f2d,f5a3aa',
    'cc4a55,e2707a',
    'd27b7e,b84a55',
    'ab3340,fac9cd',
    'a1686d,bd9196',
    'bd8490,9f4e54',
  ].map(lightDark),
}

/** Lighter and darker shades, used after the colours in `COLORS`; with them, a palette has 24 colours. */
const SHADES: Record<Palette, readonly string[]> = {
  COLORFUL_2: [
    '094768,4c6c8a',
    '772700,ac5102',
    '13653d,9cfdc6',
    'e56c9f,f8c8db',
    'a57fed,8570c0',
    '604e10,9d8519',
    '18687d,9ae5fb',
    'ab8e80,8f7366',
    '5497e9,1b8abd',
    'b44203,d16c40',
    '729e86,208958',
    '8d1653,a94676',
    '52268d,c8b8ff',
    '846c1b,fbdd67',
    '447c82,659da2',
    '543c30,dfb39d',
  ].map(lightDark),
  COLORFUL_1: [
    '659da5,147176',
    '761246,b03d77',
    '185000,579a29',
    '903f19,a67a6b',
    '7c89f6,6668c4',
    '573c1c,fae1b8',
    '4d1c95,e9c9fe',
    '21465f,6295a7',
    '005c71,6cf6fe',
    'bd8197,c761af',
    '566921,566e08',
    '956761,b04c26',
    '05439f,62658b',
    'a8926b,b29700',
    'ab63d8,967ec0',
    '688193,cceafc',
  ].map(lightDark),
  BLUE: [
    '5d6eba,568999',
    '2e5f71,8ba7f7',
    '8495bb,5c678c',
    '467689,80b4c5',
    '16495a,6c799f',
    '536386,7b89bd',
    '42519a,2e798f',
    '7190eb,4db0e5',
    '3ea0be,7d93e2',
    '0481b3,9eb1d8',
    '3f4c6e,b4c3ec',
    '647498,4f84ba',
    '6d80ce,559eb5',
    '24398b,7dd9fb',
    '2e406d,4f63ae',
    '1e5c8c,99cedf',
    '6394a7,95a4cb',
    '396b7c,66bee3',
  ].map(lightDark),
  GREEN: [
    '134d44,7a9572',
    '294d0e,3ecab7',
    '477d74,8cc376',
    '54873c,437a72',
    '4f6948,90c4b4',
    '679f96,527446',
    '76a062,31a091',
    '3d6c1d,bcf8aa',
    '196f64,7dffe9',
    '3e5534,688361',
    '265d56,558c84',
    '65805e,a5ca98',
    '188d7d,78a76b',
    '2f5d09,60974e',
    '557749,ace495',
    '2f9d8c,a5ded5',
    '7d9875,679f97',
    '314a2b,bedbb5',
  ].map(lightDark),
  RED: [
    '5d3728,9d7284',
    'f06932,875d50',
    '764d5d,fe835a',
    'df6597,d0a2b6',
    'b48679,ae7f75',
    '68344d,c46b91',
    '985439,9a5575',
    '9e0e5a,d45c36',
    '9f4b71,f77cb0',
    'c26b4b,e4b5c9',
    '784133,dbaa9f',
    'b27892,ad644e',
    '800045,db8e79',
    'ec5a65,bf4a80',
    '85345a,b84316',
    'be4b18,94666b',
    '875d6f,835b6e',
    '7f5449,d87ea3',
  ].map(lightDark),
}

/**
 * Returns the colours of a palette, in the order of use. Each is a CSS colour for both schemes. The colours of
 * `COLORFUL_2` are the tokens `--series-1` to `--series-8`, with a fallback.
 */
export function paletteColors(palette: Palette): readonly string[] {
  return COLORS[palette] ?? COLORS.COLORFUL_2
}

/**
 * Returns the colour of the series with this index: first the colours of the palette, then their shades. Repeats after 24.
 */
export function colorOfSeries(palette: Palette, index: number): string {
  const colors = [...paletteColors(palette), ...(SHADES[palette] ?? SHADES.COLORFUL_2)]
  return colors[index % colors.length]!
}

function lightDark(pair: string): string {
  const [light, dark] = pair.split(',')
  return `light-dark(#${light}, #${dark})`
}
