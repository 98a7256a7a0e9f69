/* A bot for any game of Kibitz, in C: cc -o bot bot.c */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL, *chosen = NULL;
    size_t room = 0;
    unsigned legal = 0;
    ssize_t length;
    setvbuf(stdout, NULL, _IOLBF, 0); /* every line goes out at once */
    while ((length = getline(&line, &room, stdin)) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "kibitz ", 7) == 0) {
            puts("id name C example\nready");
        } else if (strncmp(line, "legal ", 6) == 0) {
            if ((unsigned)rand() % ++legal == 0) { /* each of them is as likely */
                free(chosen);
                chosen = strdup(line + 6);
            }
        } else if (strncmp(line, "go", 2) == 0) {
            printf("bestmove %s\n", chosen);
            legal = 0;
        } else if (strcmp(line, "quit") == 0) {
            break;
        }
    }
    free(chosen);
    free(line);
    return 0;
}
