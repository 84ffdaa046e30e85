/* An engine in C for Nim: `cc -O2 -o engine examples/engine.c; ludus arena nim --policies random engine:./engine`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[4096];
    int heaps[8], count = 0;
    while (fgets(line, sizeof line, stdin) && strncmp(line, "quit", 4)) {
        if (!strncmp(line, "position ", 9)) {
            count = 0;
            for (char *word = strtok(line + 9, " \n"); word && count < 8; word = strtok(NULL, " \n"))
                heaps[count++] = atoi(word);
        } else if (!strncmp(line, "go", 2)) { /* leaves a nim-sum of zero where it can, else takes one of the largest heap */
            int sum = 0, heap = 0, take = 1;
            for (int i = 0; i < count; sum ^= heaps[i++])
                if (heaps[i] > heaps[heap]) heap = i;
            for (int i = 0; i < count; i++)
                if ((heaps[i] ^ sum) < heaps[i]) heap = i, take = heaps[i] - (heaps[i] ^ sum);
            printf("bestmove %d-%d\n", heap + 1, take);
            fflush(stdout);
        }
    }
    return 0;
}
