import {
  curveBasis,
  curveBasisClosed,
  curveBasisOpen,
  curveBumpX,
  curveBumpY,
  curveLinear,
  curveLinearClosed,
  curveMonotoneX,
  curveMonotoneY,
  curveNatural,
  curveStep,
  curveStepAfter,
  curveStepBefore,
} from 'd3-shape'
import type { CurveFactory } from 'd3-shape'
import type { Interpolation } from './chart-spec.ts'

/** Curve of each interpolation; `bump` and `monotone` are the variants along x. */
export const CURVES: Record<Interpolation, CurveFactory> = {
  basis: curveBasis,
  basisClosed: curveBasisClosed,
  basisOpen: curveBasisOpen,
  bumpX: curveBumpX,
  bumpY: curveBumpY,
  bump: curveBumpX,
  linear: curveLinear,
  linearClosed: curveLinearClosed,
  natural: curveNatural,
  monotoneX: curveMonotoneX,
  monotoneY: curveMonotoneY,
  monotone: curveMonotoneX,
  step: curveStep,
  stepBefore: curveStepBefore,
  stepAfter: curveStepAfter,
}
