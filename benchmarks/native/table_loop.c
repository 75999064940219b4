/* A machine as a table on a window of the grid, in plain C: what the compiled table runner is measured against.
   `following` holds row offsets (state times columns), or -1 halted, -2 no rule, -3 the window's border. */
#include <stdint.h>

int64_t table_loop(uint8_t *cells, int64_t at, int64_t row, const int32_t *following, const uint8_t *written,
                   const int64_t *offset, int64_t limit) {
    int64_t done = 0;
    while (done < limit) {
        int64_t entry = row + cells[at];
        int32_t next = following[entry];
        if (next < -1) break;
        cells[at] = written[entry];
        at += offset[entry];
        done++;
        if (next == -1) break;
        row = next;
    }
    return done;
}
