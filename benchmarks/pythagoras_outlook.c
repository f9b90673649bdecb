/* Trains the network of engines/pythagoras/outlook.py by gradient descent, one sample after another.

   cc -O3 -ffast-math -DFEATURES=... -DHIDDEN=... pythagoras_outlook.c -lm
   ./a.out samples weights epochs rate

   A sample is in 16-bit numbers: how many features it has, what it is worth in 60,000ths, the
   features. The weights are floats: the features' rows, what each feature counts by itself, the
   sums that all begin with, the units' weights, what all results begin with. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    float rows[FEATURES][HIDDEN], itself[FEATURES], first[HIDDEN], units[HIDDEN], start;
} net;

static float error_of(const uint16_t *found, int count, float worth, float *sums) {
    float result = net.start;
    for (int unit = 0; unit < HIDDEN; unit++) sums[unit] = net.first[unit];
    for (int i = 0; i < count; i++) {
        for (int unit = 0; unit < HIDDEN; unit++) sums[unit] += net.rows[found[i]][unit];
        result += net.itself[found[i]];
    }
    for (int unit = 0; unit < HIDDEN; unit++) {
        if (sums[unit] < 0) sums[unit] = 0;
        result += sums[unit] * net.units[unit];
    }
    return 1 / (1 + expf(-result)) - worth;
}

static void learn(const uint16_t *sample, float rate) {
    const uint16_t *found = sample + 2;
    float sums[HIDDEN], slopes[HIDDEN];
    float error = error_of(found, sample[0], sample[1] / 60000.0f, sums);
    for (int unit = 0; unit < HIDDEN; unit++) {
        slopes[unit] = sums[unit] > 0 ? rate * error * net.units[unit] : 0;
        net.units[unit] -= rate * error * sums[unit];
        net.first[unit] -= slopes[unit];
    }
    net.start -= rate * error;
    for (int i = 0; i < sample[0]; i++) {
        for (int unit = 0; unit < HIDDEN; unit++) net.rows[found[i]][unit] -= slopes[unit];
        net.itself[found[i]] -= 0.3f * rate * error;
    }
}

static double drawn(void) { return rand() / (RAND_MAX + 1.0); }

/* Between -limit and limit, the middle likelier. */
static float small(float limit) { return limit * (drawn() + drawn() - 1); }

int main(int count, char **arguments) {
    if (count != 5) return 2;
    FILE *file = fopen(arguments[1], "rb");
    if (!file || fseek(file, 0, SEEK_END)) return 1;
    size_t length = ftell(file) / 2, samples = 0;
    uint16_t *numbers = malloc(2 * length);
    uint16_t **order = malloc(sizeof *order * (length / 3 + 1));
    rewind(file);
    if (!numbers || !order || fread(numbers, 2, length, file) != length) return 1;
    fclose(file);
    for (size_t at = 0; at < length; at += 2 + numbers[at]) order[samples++] = numbers + at;
    int epochs = atoi(arguments[3]);
    float rate = atof(arguments[4]);
    srand(1);
    for (int feature = 0; feature < FEATURES; feature++)
        for (int unit = 0; unit < HIDDEN; unit++) net.rows[feature][unit] = small(0.15f);
    for (int unit = 0; unit < HIDDEN; unit++) net.units[unit] = small(0.4f);
    for (int epoch = 0; epoch < epochs; epoch++) {
        double squares = 0;
        for (size_t i = samples - 1; i > 0; i--) {
            size_t other = drawn() * (i + 1);
            uint16_t *swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        for (size_t i = 0; i < samples; i++) {
            double left = 1 - (epoch + (double)i / samples) / epochs;
            learn(order[i], rate * (left + 0.01));
        }
        for (size_t i = 0; i < samples; i += 20) {
            float sums[HIDDEN];
            float error = error_of(order[i] + 2, order[i][0], order[i][1] / 60000.0f, sums);
            squares += error * error;
        }
        fprintf(stderr, "epoch %d: off by %.4f\n", epoch + 1, sqrt(squares / (samples / 20 + 1)));
    }
    file = fopen(arguments[2], "wb");
    return !file || fwrite(&net, sizeof net, 1, file) != 1 || fclose(file);
}
