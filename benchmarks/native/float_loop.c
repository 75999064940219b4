/* A DFST let loose on a window of the grid, in plain C: what the compiled rollout is measured against.
   Sizes are known when this is compiled (-DD=.. -DK=.. -DSTRIDE=..), which the library's kernel does not have.
   Same work, same rounding: every product and sum is rounded, in the order of j; h is scaled by powers of two when its
   largest component leaves 2^-16 .. 2^16, and every 64 steps, when components below 2^-100 of it become zero.
   Returns the number of steps made until the agent halts, is stuck, meets the border, or has made `limit`. */
#include <math.h>
#include <stdint.h>

#define MOVES 5
#define STAY 4

static int leader(const float *scores, int count) {
    int best = 0, ties = 0;
    for (int i = 1; i < count; i++) {
        if (scores[i] > scores[best]) { best = i; ties = 0; }
        else if (scores[i] == scores[best]) ties = 1;
    }
    return ties || !(scores[best] < INFINITY) ? -1 : best;
}

int64_t float_loop(uint8_t *cells, int64_t at, const int64_t *offset, const float *weights, float *h, int64_t limit,
                   int64_t *flushed) {
    int64_t done = 0;
    while (done < limit) {
        int seen = cells[at];
        if (seen == K) break;
        const float *w = weights + (int64_t)seen * D * STRIDE;
        float out[STRIDE] = {0};
        for (int j = 0; j < D; j++) {
            float hj = h[j];
            for (int i = 0; i < STRIDE; i++) out[i] += w[j * STRIDE + i] * hj;
        }
        int symbol = leader(out + D, K), move = leader(out + D + K, MOVES);
        if (symbol < 0 || move < 0) break;
        cells[at] = (uint8_t)symbol;
        at += offset[move];
        done++;
        if (move == STAY) break;
        float largest = 0;
        for (int i = 0; i < D; i++) {
            h[i] = out[i];
            float size = fabsf(out[i]);
            largest = size > largest ? size : largest;
        }
        if ((largest < 0x1p-16f || largest > 0x1p16f || done % 64 == 0) && largest > 0 && largest < INFINITY) {
            int exponent;
            frexpf(largest, &exponent);
            float factor = ldexpf(1, 1 - exponent), least = largest * 0x1p-100f;
            for (int i = 0; i < D; i++) {
                if (h[i] != 0 && fabsf(h[i]) < least) { h[i] = 0; (*flushed)++; }
                else h[i] *= factor;
            }
        }
    }
    return done;
}
